import type { Knex } from 'knex';
import { createListingPasts, createSalePasts, pastDays } from './create-past.js';
import { demoFeeds } from './demo-feeds.js';

const dayMs = 86_400_000;

/**
 * Gives listings and sales that were first read on the demonstration's first day the past that its seed draws: the same
 * rows as if they had been read on each day of it. Repeating it changes nothing.
 */
export async function writePast(knex: Knex, firstDay: Date, now: Date): Promise<void> {
  if (!isFirstDay(firstDay, now)) return;
  const ago = (days: number) => new Date(firstDay.getTime() - days * dayMs);
  const pasts = createListingPasts();
  const listings = pasts.map(({ sourceKey, seenDaysAgo, offeredDaysAgo, relisted, prices }) => ({
    source_key: sourceKey,
    seen_at: ago(seenDaysAgo),
    offered_at: ago(offeredDaysAgo),
    priced_at: ago(prices.at(-1)?.daysAgo ?? 0),
    relisted,
  }));
  const prices = pasts.flatMap(({ sourceKey, seenDaysAgo, offeredDaysAgo, prices: all }) =>
    all.slice(0, -1).map(({ daysAgo, untilDaysAgo, multiple }) => ({
      source_key: sourceKey,
      observed_at: ago(daysAgo),
      confirmed_at: ago(untilDaysAgo),
      period_from: ago(daysAgo > offeredDaysAgo ? seenDaysAgo : offeredDaysAgo),
      multiple,
    })),
  );
  const common = { since: firstDay, until: new Date(firstDay.getTime() + dayMs) };
  await knex.raw(dateListings, {
    ...common,
    now,
    sources: demoFeeds.map(({ manifest }) => manifest.name),
    listings: JSON.stringify(listings),
    prices: JSON.stringify(prices),
  });
  const sales = createSalePasts(firstDay.toISOString().slice(0, 10)).map(({ statuses, ...sale }) => ({
    source_name: sale.sourceName,
    source_key: sale.sourceKey,
    statuses: statuses.map(({ daysAgo, status, saleDate }) => ({ at: ago(daysAgo), status, sale_date: saleDate })),
  }));
  await knex.raw(dateSales, { ...common, sales: JSON.stringify(sales) });
  await knex.raw(countVersions, { pastDays });
}

/** Whether it is the demonstration's first day. */
export function isFirstDay(firstDay: Date, now: Date): boolean {
  return now.getTime() < firstDay.getTime() + dayMs;
}

/** A version for each day of the past; the first publication is the one after them. */
const countVersions = `
  insert into feed_versions (feed, version, published_at)
  select feed, :pastDays, 'epoch' from unnest(array['deals', 'auctions']) as feed
  on conflict (feed) do update set version = excluded.version where feed_versions.complete_as_of is null`;

/** The price that was read is the latest of the past. */
const dateListings = `
  with dated as (
    update listing_sources s set first_seen_at = p.seen_at, period_from = p.offered_at, relisted = p.relisted
    from json_to_recordset(cast(:listings as json)) as p(source_key text, seen_at timestamptz, offered_at timestamptz,
      priced_at timestamptz, relisted boolean)
    where s.source_name = any(:sources) and s.source_key = p.source_key
      and s.first_seen_at > :since and s.first_seen_at < :until
    returning s.listing_id, s.source_name, s.source_key, p.seen_at, p.offered_at, p.priced_at
  ), aged as (
    update listings l set first_seen_at = least(l.first_seen_at, d.seen_at), updated_at = :now
    from (select listing_id, min(seen_at) as seen_at from dated group by listing_id) d
    where l.id = d.listing_id
  ), present as (
    update listing_prices l set observed_at = d.priced_at, period_from = d.offered_at
    from dated d where l.listing_id = d.listing_id and l.source_name = d.source_name
    returning l.listing_id, l.source_name, l.price, d.source_key
  )
  insert into listing_prices (listing_id, source_name, observed_at, price, confirmed_at, period_from)
  select l.listing_id, l.source_name, p.observed_at, round(l.price * p.multiple / 500) * 500, p.confirmed_at, p.period_from
  from present l join json_to_recordset(cast(:prices as json)) as p(source_key text, observed_at timestamptz,
    confirmed_at timestamptz, period_from timestamptz, multiple numeric) using (source_key)
  where l.price >= 10000`;

/** The status that was read is the latest of the past. */
const dateSales = `
  with dated as (
    update auctions s set first_seen_at = cast(p.statuses -> 0 ->> 'at' as timestamptz)
    from json_to_recordset(cast(:sales as json)) as p(source_name text, source_key text, statuses json)
    where s.source_name = p.source_name and s.source_key = p.source_key
      and s.first_seen_at > :since and s.first_seen_at < :until
    returning s.id, s.source_name, p.statuses
  ), told as (
    delete from auction_statuses h using dated d where h.id = d.id and h.source_name = d.source_name
  )
  insert into auction_statuses (id, source_name, observed_at, status, sale_date)
  select d.id, d.source_name, h.at, h.status, h.sale_date
  from dated d, json_to_recordset(d.statuses) as h(at timestamptz, status text, sale_date date)
  on conflict (id, source_name, observed_at) do nothing`;
