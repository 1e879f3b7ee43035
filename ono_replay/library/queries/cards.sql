-- What became of each card. The unit is a card played (`used`, `forced`, `discarded`: a card held, in games without
-- unknown cards); the cards of a game are a cluster.
with sums as (
    select grp, card, cluster,
           sum(plays) as plays, sum("change") as moved, sum(fatal) as fatal,
           sum(plays_first) as answers, sum(deflected) as deflected,
           coalesce(sum(plays) filter (known), 0) as known_plays,
           coalesce(sum(forced) filter (known), 0) as forced,
           coalesce(sum(discarded) filter (known), 0) as discarded,
           coalesce(sum(plays + discarded + bust + kept) filter (known), 0) as held
    from card_sums natural join chosen
    where card <> '?'
    group by all
),
totals as (select grp, cluster, sum(plays) as x from sums group by all),
whole as (select grp, moments(x, x) as whole from totals where x > 0 group by all),
played as (
    select grp, card, 'played' as measure, shares(plays, x, whole) as share, null as mean
    from sums join totals using (grp, cluster) join whole using (grp)
    where x > 0
    group by all
    having sum(plays + held) > 0
),
measures as (
    select grp, card, unnest(['used', 'forced', 'discarded', 'deflected', 'fatal', 'change']) as measure,
           unnest([known_plays, forced, discarded, deflected, fatal, moved]) as y,
           unnest([held, known_plays, held, answers, plays, plays]) as x
    from sums
),
others as (
    select grp, card, measure, moments(y, x) as sums
    from measures where x > 0 and (measure <> 'discarded' or card = 'ono_99')
      and (measure <> 'deflected' or card in ('reverse', 'hold', 'play_2'))
    group by all
)
select grp, card, measure, share, mean from (
    select * from played
    union all
    select grp, card, measure, if(measure in ('change', 'fatal'), null, sums),
           if(measure in ('change', 'fatal'), sums, null) from others
)
order by grp, list_position(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '-10', 'reverse', 'hold',
                             'double_play', 'play_2', 'ono_99'], card),
         list_position(['played', 'change', 'used', 'forced', 'deflected', 'fatal', 'discarded'], measure)
