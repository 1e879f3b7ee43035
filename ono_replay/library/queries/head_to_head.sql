-- Two players at one table: how often the first wins the game. The unit is a game together.
with seated as materialized (
    select grp, game_id, player, won, 1 / n_players as chance from players natural join chosen where won is not null
),
pairs as (
    select a.grp, a.player, b.player as opponent,
           moments(a.won::int, 1) as share, moments(b.won::int, 1) as other,
           count(*) filter (a.won and not b.won) as ahead, count(*) filter (b.won and not a.won) as behind,
           round(favg(a.chance), 12) as expected
    from seated a join seated b on a.game_id = b.game_id and a.grp = b.grp and a.player < b.player
    group by all
)
select grp, player, opponent, share, expected, ahead, behind from (
    select grp, player, opponent, share, expected, ahead, behind from pairs
    union all
    select grp, opponent, player, other, expected, behind, ahead from pairs
)
order by grp, player, share.x desc, opponent
