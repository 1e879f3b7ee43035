-- Games won and lost in a row, in the order of time. The unit of the share is a game after a game that was won: how
-- often the next is won, too.
with runs as (
    select grp, player, string_agg(if(won, 'W', 'L'), '' order by nr, seat) as run
    from players natural join chosen
    where won is not null
    group by all
),
counted as (
    select grp, player, run,
           list_transform(string_split(run, 'L'), lambda part: length(part)) as wins,
           list_transform(string_split(run, 'W'), lambda part: length(part)) as losses
    from runs
),
lasting as (
    select *, list_sum(wins) - len(list_filter(wins, lambda n: n > 0)) as again,
           list_sum(wins) - ends_with(run, 'W')::int as followed
    from counted
)
select grp, player, length(run) as games, list_max(wins) as longest_won, list_max(losses) as longest_lost,
       if(ends_with(run, 'W'), wins[-1], -losses[-1]) as current,
       struct_pack(y := again::double, x := followed::double, m := followed::bigint, yy := again::double,
                   xy := again::double, xx := followed::double) as share
from lasting
order by grp, longest_won desc, player
