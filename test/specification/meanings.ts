import assert from 'node:assert/strict';
import { Decimal } from 'decimal.js';
import type { Deal } from '../../generated/types.gen.js';
import type { Served } from './served.js';

/** What the meaning of a field requires of sold records, in addition to its type. */
export type Meanings = Readonly<Record<string, (served: Served) => void>>;

/** Of the deal record. */
export const dealMeanings: Meanings = {
  id: ({ deals, ids }) => {
    assert.equal(new Set(deals.map(({ id }) => id)).size, deals.length);
    assert.deepEqual(
      ids.ids.map(({ report_url: url }) => url),
      deals.map(({ id }) => `/api/deals/${id}/report`),
    );
  },
  state: forEach(({ state }) => assert.match(state, /^[A-Z]{2}$/)),
  zip: forEach(({ zip }) => assert.match(zip ?? '00000', /^\d{5}$/)),
  units: forEach(({ units }) => assert.ok(units === null || units >= 1)),
  noi_source: forEach(
    ({ noi, noi_source: source, noi_underwritten: underwritten, cap_rate: cap, list_price: price }) => {
      assert.equal(source === null, noi === null);
      if (source === 'underwritten') assert.equal(noi, underwritten);
      if (source === 'derived_from_advertised_cap')
        assert.equal(noi, two(new Decimal(price ?? 'NaN').times(cap ?? 'NaN').div(100)));
    },
  ),
  noi_underwritten: forEach(({ noi_underwritten: noi, market_rent_2br: rent, units }) =>
    assert.equal(noi === null, rent === null || units === null),
  ),
  cap_rate_underwritten: forEach(({ cap_rate_underwritten: cap, noi_underwritten: noi, list_price: price }) => {
    assert.equal(cap, noi === null || price === null ? null : two(new Decimal(noi).div(price).times(100)));
  }),
  dscr: forEach(({ dscr, noi, list_price: price, units, data_quality: codes }) => {
    // 75% of the price over 30 years: at 6.75% from five units on, else, and with unknown or doubted units, at 7.00%.
    const isDoubted = codes.some((code) => code.startsWith('units_'));
    const constant = units !== null && units > 4 && !isDoubted ? '0.0778318' : '0.0798363';
    const service = new Decimal(price ?? 'NaN').times('0.75').times(constant);
    if (dscr !== null) assert.ok(new Decimal(noi ?? 'NaN').div(service).minus(dscr).abs().lte('0.0051'));
  }),
  dscr_status: forEach(({ dscr, dscr_status: status }) => assert.equal(status === 'computed', dscr !== null)),
  deal_score: ({ deals }) => {
    const scores = deals.map(({ deal_score: score }) => score);
    assert.deepEqual(
      scores,
      [...scores].sort((one, other) => other - one),
    );
    assert.ok(new Set(scores).size > 20);
  },
  confidence_score: forEach(({ confidence_score: confidence, underwrite_reliability: reliability }) => {
    if (reliability === 'proxy_out_of_range') assert.ok(Number(confidence) <= 0.75);
  }),
  why_this_is_interesting: forEach(({ why_this_is_interesting: line, cap_gap_pct: gap, cap_rate, ...deal }) => {
    assert.doesNotMatch(line, /[\n<>{}]/);
    if (line.startsWith('Check the listing: ') || gap === null || Math.abs(Number(gap)) < 1) return;
    const [first] = line.split(';');
    for (const cap of [cap_rate, deal.cap_rate_underwritten]) assert.ok(first?.includes(`${cap}%`), line);
  }),
  // More than 100 points compare nothing.
  cap_gap_pct: forEach(({ cap_gap_pct: gap, cap_rate: claimed, cap_rate_underwritten: hud }) => {
    const points = claimed === null || hud === null ? null : new Decimal(claimed).minus(hud);
    assert.equal(gap, points === null || points.abs().gt(100) ? null : two(points));
  }),
  underwrite_reliability: forEach(
    ({ underwrite_reliability: told, list_price: price, units, market_rent_2br: rent }) => {
      if (price === null || units === null || rent === null) return assert.equal(told, 'unknown');
      const years = new Decimal(price).div(units).div(new Decimal(rent).times(12));
      assert.equal(told, years.gt(14) ? 'proxy_out_of_range' : 'ok');
    },
  ),
  rental_status: forEach(({ rental_status: status, rationales }) => assert.equal(status, rationales.rental.status)),
  motivation_score: forEach(({ motivation_score: count, motivation_signals: signals }) =>
    assert.equal(count, signals.length),
  ),
  last_verified: forEach(({ last_verified: verified }) => assert.ok(Date.parse(verified) <= Date.now())),
  price_reduction_pct: ({ deals }) => {
    const drops = deals.flatMap(({ price_reduction_pct: drop }) => drop ?? []);
    assert.ok(drops.some((drop) => drop > 0) && drops.every((drop) => drop >= 0 && drop <= 100));
    for (const { price_reduction_pct: drop, absent } of deals)
      if (drop === null) assert.equal(absent.price_reduction_pct?.reason, 'not_yet_observed');
  },
  // The service started one day ago, with thirty days of history; one source was read today.
  days_on_feed: ({ deals }) => {
    const days = new Set(deals.map(({ days_on_feed: count }) => count));
    assert.ok(days.has(0) && days.has(31) && [...days].every((count) => count >= 0 && count <= 31), [...days].join());
  },
};

/** Of the signal record. */
export const signalMeanings: Meanings = {
  signal_type: forEachSignal(({ signal_type: type }) => assert.equal(type, 'tax_delinquent')),
  county: forEachSignal(({ county, state }) => assert.match(county, new RegExp(`^\\S.* County, ${state}$`))),
  address: ({ signals }) => {
    const missing = signals.signals.filter(({ address }) => address === null);
    assert.ok(missing.length > 0 && missing.length < signals.signals.length);
  },
  amount: forEachSignal(({ amount }) => assert.match(amount, /^\d+\.\d{2}$/)),
  last_seen: forEachSignal(({ last_seen: seen }) => assert.ok(Date.parse(seen) <= Date.now())),
  has_address: forEachSignal(({ has_address: told, address }) => assert.equal(told, address !== null)),
  address_status: forEachSignal(({ address_status: status, address }) =>
    assert.equal(status, address === null ? 'pending_parcel_lookup' : 'complete'),
  ),
};

/** Of the auction record. */
export const auctionMeanings: Meanings = {
  sale_date: ({ auctions }) => {
    const dates = auctions.map(({ sale_date: date }) => date);
    assert.deepEqual(dates, [...dates].sort());
  },
  county: ({ auctions }) => {
    for (const { county, state } of auctions) assert.match(county, new RegExp(`^\\S.* County, ${state}$`));
  },
};

function forEach(hold: (deal: Deal) => void): (served: Served) => void {
  return ({ deals }) => {
    for (const deal of deals) hold(deal);
  };
}

function forEachSignal(hold: (signal: Served['signals']['signals'][number]) => void): (served: Served) => void {
  return ({ signals }) => {
    for (const signal of signals.signals) hold(signal);
  };
}

/** Rounded half up to two digits. */
function two(value: Decimal): string {
  const text = value.toFixed(2, Decimal.ROUND_HALF_UP);
  return text === '-0.00' ? '0.00' : text;
}
