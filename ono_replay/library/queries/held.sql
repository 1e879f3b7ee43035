-- What is held at a choice, over the course of a round. The unit is a choice with no unknown card in hand; those of a
-- game are a cluster. A phase is ten choices of a round.
with sums as (
    select grp, phase, cluster, sum(cards) as cards, sum(ono_99) as ono_99, sum(helpers) as helpers, sum(n_known) as x
    from phases natural join chosen
    where n_known > 0
    group by all
),
measures as (
    select grp, phase, unnest(['cards', 'ono_99', 'helpers']) as measure, unnest([cards, ono_99, helpers]) as y, x
    from sums
),
found as (select grp, phase, measure, moments(y, x) as mean from measures group by all)
select grp, phase * 10 + 1 as first_choice, phase * 10 + 10 as last_choice, measure, mean
from found
order by grp, list_position(['ono_99', 'helpers', 'cards'], measure), first_choice
