-- How the total moves over the course of a round. The unit is a choice (`forced`: with no unknown card in hand); those
-- of a game are a cluster. A phase is ten choices of a round.
with sums as (
    select grp, phase, cluster, sum(total) as total, sum(near) as near, sum(n_forced) as forced,
           sum(n) as n, sum(n_known) as n_known
    from phases natural join chosen
    group by all
),
measures as (
    select grp, phase, unnest(['total', 'near', 'forced']) as measure, unnest([total, near, forced]) as y,
           unnest([n, n, n_known]) as x
    from sums
),
found as (
    select grp, phase, measure, moments(y, x) as sums from measures where x > 0 group by all
)
select grp, phase * 10 + 1 as first_choice, phase * 10 + 10 as last_choice, measure,
       if(measure = 'total', null, sums) as share, if(measure = 'total', sums, null) as mean
from found
order by grp, list_position(['total', 'near', 'forced'], measure), first_choice
