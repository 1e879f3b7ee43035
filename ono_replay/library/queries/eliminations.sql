-- Why players fell. The unit is an elimination, from a round or the game; those of a game are a cluster.
with per as (
    select grp, cause, cluster, count(*) as y from eliminations natural join chosen group by all
),
totals as (select grp, cluster, sum(y) as x from per group by all),
whole as (select grp, moments(x, x) as whole from totals group by all)
select grp, cause, shares(y, x, whole) as share
from per join totals using (grp, cluster) join whole using (grp)
group by all
order by grp, sum(y) desc, cause
