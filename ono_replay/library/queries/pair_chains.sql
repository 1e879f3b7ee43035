-- What became of pair cards. `chains` is by game (or player and game), the share of a `length` by chain, `deflected` by
-- pair that came to a player, `survived` by pair that stayed with one; those of a game are a cluster.
with started as (select *, started_by as seat from pair_chains),
per_length as (select grp, cluster, length, count(*) as y from started natural join chosen group by all),
totals as (select grp, cluster, sum(y) as x, sum(y * length) as cards from per_length group by all),
whole as (select grp, moments(x, x) as whole from totals group by all),
lengths as (
    select grp, 'share' as measure, length, shares(y, x, whole) as share, null as mean
    from per_length join totals using (grp, cluster) join whole using (grp)
    group by all
),
mean_length as (
    select grp, 'length' as measure, null as length, null as share, moments(cards, x) as mean from totals group by all
),
games_of as (select grp, cluster, count(*) as x from chosen group by all),
chains as (
    select grp, 'chains' as measure, null as length, null as share, moments(coalesce(totals.x, 0), games_of.x) as mean
    from games_of left join totals using (grp, cluster)
    group by all
),
fates as (
    select grp, cluster, sum(pairs_passed) as passed, sum(pairs_hit) as hit, sum(pairs_survived) as survived
    from players natural join chosen
    group by all
),
deflected as (
    select grp, 'deflected' as measure, null as length, moments(passed, passed + hit) as share, null as mean
    from fates where passed + hit > 0
    group by all
),
survived as (
    select grp, 'survived' as measure, null as length, moments(survived, hit) as share, null as mean
    from fates where hit > 0
    group by all
)
select grp, measure, length, share, mean from (
    select * from chains union all select * from mean_length union all select * from lengths
    union all select * from deflected union all select * from survived
)
order by grp, list_position(['chains', 'length', 'share', 'deflected', 'survived'], measure), length
