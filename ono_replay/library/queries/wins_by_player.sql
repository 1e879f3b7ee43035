-- Wins of each player; the unit is a seat in a game. `expected` is the share by chance: one in as many as sat there.
select grp, player,
       moments(won::int, 1) as share,
       round(favg(1 / n_players), 12) as expected
from players natural join chosen
where won is not null
group by all
order by grp, count(*) desc, player
