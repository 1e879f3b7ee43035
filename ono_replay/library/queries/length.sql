-- How long games and rounds are. The unit is a game; of measures that begin with `round_`, a round that was played to
-- its end and was dealt, not set up; the rounds of a game are a cluster.
with games_chosen as (select * from games natural join chosen),
rounds_chosen as (
    select * from rounds natural join chosen where end_seq is not null and not from_position
),
game_values as (
    select grp, cluster, unnest(['plays', 'decisions', 'rounds', 'eliminations', 'events', 'duration_ms']) as measure,
           unnest([n_plays, n_decisions, n_rounds, n_eliminations, n_events, duration_ms]) as value
    from games_chosen
),
round_values as (
    select grp, cluster,
           unnest(['round_plays', 'round_eliminations', 'round_reshuffles', 'round_highest', 'round_duration_ms']) as measure,
           unnest([n_plays, n_eliminations, n_reshuffles, highest, duration_ms]) as value
    from rounds_chosen
),
known as (
    select * from game_values where value is not null
    union all
    select * from round_values where value is not null
),
per as (select grp, measure, cluster, sum(value) as y, count(*) as x from known group by all),
means as (select grp, measure, moments(y, x) as mean from per group by all),
spread as (
    select grp, measure, min(value) as least, quantile_disc(value, 0.1) as low_tenth,
           quantile_disc(value, 0.5) as middle, quantile_disc(value, 0.9) as high_tenth, max(value) as most
    from known group by all
)
select * from means join spread using (grp, measure)
order by grp, starts_with(measure, 'round_'),
         list_position(['plays', 'decisions', 'rounds', 'eliminations', 'events', 'duration_ms'], measure), measure
