-- Milliseconds a choice. The unit is a choice with a time; those of a game are a cluster.
with per as (
    select grp, cluster, sum(time_ms) as y, sum(n_timed) as x
    from players natural join chosen
    where n_timed > 0
    group by all
)
select grp, moments(y, x) as mean
from per
group by all
order by grp
