-- Who set the totals that others, or they themselves, fell under. The unit is an elimination of one who could play
-- nothing, in the games of the player; those of a game are a cluster.
with falls as (
    select game_id, count(*) as falls from eliminations where reason = 'no_legal_play' group by all
),
per as (
    select grp, player, cluster, sum(n_set + n_set_own) as y, sum(n_set_own) as own, sum(falls) as x
    from players natural join chosen natural join falls
    group by all
)
select grp, player, moments(y, x) as share, sum(own)::bigint as own
from per
group by all
order by grp, sum(y) desc, player
