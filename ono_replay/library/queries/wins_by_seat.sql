-- Wins at each seat; the unit is a game. Where tables differ in size, `above` is what compares seats.
select grp, seat,
       moments(won::int, 1) as share,
       round(favg(1 / n_players), 12) as expected
from players natural join chosen
where won is not null
group by all
order by grp, seat
