-- Wins of who started round 1 and of the others; the unit is a seat in a game, the seats of a game a cluster.
with per as (
    select grp, starter, cluster, sum(won::int) as y, count(*) as x, fsum(1 / n_players) as chance
    from players natural join chosen
    where won is not null
    group by all
)
select grp, starter,
       moments(y, x) as share,
       round(fsum(chance) / sum(x), 12) as expected
from per
group by all
order by grp, starter desc
