import assert from 'node:assert/strict';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { Auction, BasicDeal, Deal, Lead, Lookup, Signal, SignalList } from '../../generated/types.gen.js';
import { absent, isKnown, known, valueOf, type Maybe } from '../../src/absence.js';
import { basicDealToWire, dealToWire } from '../../src/api/wire/deal.js';
import type { ObservedAuction } from '../../src/auctions/auction.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import type { Listing, ObservedListing } from '../../src/listings/listing.js';
import { identifyByAddress } from '../../src/listings/identify-by-address.js';
import type { ObservedSignal } from '../../src/signals/signal.js';
import { anyDeal } from '../reports/arbitrary-deal.js';
import {
  anyAuction,
  anyListing,
  anySignal,
  numberAuctions,
  numberListings,
  numberSignals,
} from '../sources/arbitrary-observation.js';
import { createScriptedDelivery } from '../sources/scripted-delivery.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';
import { readSource } from '../support/read-source.js';

const numRuns = 400;
/** A value, or any of the reasons for which a source's value is absent. */
const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<Maybe<T>> =>
  fc.oneof(
    { arbitrary: values.map(known), weight: 2 },
    fc
      .constantFrom('not_stated_by_source', 'not_published_by_source', 'parse_failed', 'suppressed_by_policy')
      .map(absent),
  );

type Sold = { readonly absent: Readonly<Record<string, { readonly reason: string } | undefined>> };

describe('whatever is missing, a record says what it has and why it has not the rest', () => {
  describe('of a county', () => {
    let app: TestApp;
    let signals: SignalList;
    let auctions: readonly Auction[];
    const observedSignals = numberSignals(fc.sample(anySignal(maybe), { numRuns }));
    const observedAuctions = numberAuctions(fc.sample(anyAuction(maybe), { numRuns }));

    before(async () => {
      app = await startTestApp({ settler: createInstantSettler(), withData: false });
      await readCountyRecords(app, { signals: observedSignals, auctions: observedAuctions });
      await app.work.publish('all');
      signals = (await (await buy(`${app.url}/api/signals`)).json()) as SignalList;
      auctions = (await (await buy(`${app.url}/api/auctions?include_past=true`)).json()) as Auction[];
    });
    after(() => app.stop());

    it('signals: none is left out, and each field is what the source said, or null for its reason', () => {
      assert.equal(signals.signals.length, numRuns);
      for (const signal of signals.signals) {
        const observed = observedSignals.find(({ parcelId }) => parcelId === signal.parcel_id) ?? assert.fail();
        assertFields(signal, signalFields(observed));
        assert.deepEqual([signal.owner_name, signal.amount], [observed.ownerName, observed.amount]);
        assertPlace(signal, 'address', observed.address, true);
        assert.equal(signal.has_address, signal.address !== null);
        assert.equal(signal.address_status === 'complete', signal.has_address);
      }
    });

    it('auctions: none is left out, and each field is what the source said, or null for its reason', () => {
      assert.equal(auctions.length, numRuns);
      for (const auction of auctions) {
        const observed =
          observedAuctions.find(({ caseNumber }) => valueOf(caseNumber) === auction.case_number) ?? assert.fail();
        assertFields(auction, auctionFields(observed));
        assertPlace(auction, 'property_address', observed.address, isKnown(observed.parcelId));
        for (const entry of auction.status_history) assert.equal(entry.date === null, entry.absent.date !== undefined);
      }
    });

    it('leads: each is a record of its feed, value for value and reason for reason, with its score', async () => {
      const leads = (await (await buy(`${app.url}/api/leads`)).json()) as Lead[];
      assert.deepEqual([...new Set(leads.map(({ lead_type: type }) => type))].sort(), [
        'sheriff_sale_auction',
        'tax_delinquent_owner',
      ]);
      for (const lead of leads) {
        const record = recordOf(lead.id);
        for (const [name, value] of Object.entries(record)) assert.deepEqual(Reflect.get(lead, name), value, name);
        assert.ok(lead.address.trim() !== '');
      }
    });

    it('lookup: whatever the question leaves out, what is found is a record of its feed as it is sold there', async () => {
      const isAt = (zip: string) => (record: Signal | Auction) =>
        record.zip === zip && ('address' in record ? record.address : record.property_address) === '100 Example Ave';
      for (const [question, expected] of [
        ['100 Example Ave, Cleveland, OH 44105', isAt('44105')],
        ['100 Example Ave, OH 44109', isAt('44109')],
        ['100 example avenue apt 2, Cleveland, OH 44105', isAt('44105')],
        ['100 Example, Cleveland, OH 44105', isAt('44105')],
      ] as const) {
        const reply = await buy(`${app.url}/api/lookup?address=${encodeURIComponent(question)}`);
        assert.equal(reply.status, 200, question);
        const { matches, possible_matches: others, coverage } = (await reply.json()) as Lookup;
        const found = [...matches, ...others];
        for (const { id, record } of found) assert.deepEqual(record, recordOf(id));
        const ids = new Set(found.map(({ id }) => id));
        const wanted = [...signals.signals, ...auctions].filter(expected);
        assert.ok(wanted.length > 0 && wanted.every(({ id }) => ids.has(id)), question);
        assert.equal(coverage.county === null, coverage.absent.county !== undefined);
      }
    });

    function recordOf(id: string): Signal | Auction {
      return [...signals.signals, ...auctions].find((each) => each.id === id) ?? assert.fail(id);
    }
  });

  describe('of a listing, from its source to its buyer', () => {
    let app: TestApp;
    let deals: readonly Deal[];
    const observed = numberListings(fc.sample(anyListing(maybe), { numRuns }));
    before(async () => {
      app = await startTestApp({ settler: createInstantSettler(), withData: false });
      const source = createScriptedDelivery('listings', { name: 'brokers', now: app.now });
      source.deliver({ pages: [observed] });
      await readSource(app, source);
      await app.work.publish('all');
      deals = (await (await buy(`${app.url}/api/deals`)).json()) as Deal[];
    });
    after(() => app.stop());

    it('deals: none is left out, and each field is what the source said, or null for its reason', () => {
      assert.equal(deals.length, numRuns);
      const check = createValidators(loadContract()).at<Deal>('#/components/schemas/Deal');
      for (const deal of deals) {
        assert.ok(check(deal), JSON.stringify(check.faults()[0]));
        const listing = listingOf(deal);
        assertFields(deal, statedFields(listing));
        if (isKnown(listing.noi)) assertFields(deal, { noi: listing.noi, noi_source: known('stated') });
        assert.equal(deal.source, listing.marketplace);
      }
    });

    it('deals: one whose address could not be read says so, and not one that has none or must not show it', () => {
      const reasons = new Set<string>();
      for (const deal of deals) {
        const { address, ...place } = listingOf(deal);
        const isUnread = isKnown(address)
          ? !identifyByAddress({ address, ...place }).parsed
          : address.absent === 'parse_failed';
        assert.equal(deal.data_quality.includes('address_not_parsed'), isUnread, JSON.stringify(address));
        reasons.add(isKnown(address) ? `${isUnread}` : address.absent);
      }
      assert.equal(reasons.size, 6, 'every case has been seen');
    });

    function listingOf(deal: Deal): ObservedListing {
      return observed.find(({ city }) => city === deal.city) ?? assert.fail(deal.city);
    }
  });

  describe('of a listing', () => {
    const validators = createValidators(loadContract());
    const deals = fc.sample(anyDeal, { numRuns }).map((deal) => ({ deal, wire: dealToWire(deal) }));

    it('deals: each field is what the listing states or what follows from it, or null for its reason', () => {
      const check = validators.at<Deal>('#/components/schemas/Deal');
      for (const name of ['market_rent_2br', 'price_reduction_pct'] as const)
        assert.equal(new Set(deals.map(({ wire }) => wire[name] === null)).size, 2, `${name} is there, and is not`);
      for (const { deal, wire } of deals) {
        assert.ok(check(wire), JSON.stringify(check.faults()[0]));
        const { listing, underwriting } = deal;
        assertFields(wire, {
          ...statedFields(listing),
          county: countyOf(listing),
          market_rent_2br: twoDigits(mapMaybe(underwriting.rent, ({ rent2br }) => rent2br)),
          price_reduction_pct: reductionOf(listing),
          noi: underwriting.noi,
          noi_source: underwriting.noiSource,
          noi_underwritten: underwriting.noiUnderwritten,
          cap_rate_underwritten: underwriting.capRateUnderwritten,
          dscr: underwriting.dscr,
          cap_gap_pct: underwriting.capGapPct,
        });
      }
    });

    it('deals: no figure is told that an input lacks for', () => {
      for (const { wire } of deals) {
        const { list_price: price, units, cap_rate: cap, market_rent_2br: rent } = wire;
        assert.equal(wire.noi_underwritten === null, rent === null || units === null);
        assert.equal(wire.cap_rate_underwritten === null, wire.noi_underwritten === null || price === null);
        assert.equal(wire.cap_gap_pct === null, cap === null || wire.cap_rate_underwritten === null);
        if (price === null) assert.equal(wire.dscr, null);
        if (wire.noi === null) assert.deepEqual([wire.noi_source, wire.dscr], [null, null]);
      }
    });

    it('basic deals: the same values and the same reasons', () => {
      const check = validators.at<BasicDeal>('#/components/schemas/BasicDeal');
      for (const { wire } of deals) {
        const basic = basicDealToWire(wire);
        assert.ok(check(basic), JSON.stringify(check.faults()[0]));
        for (const [name, value] of Object.entries(basic))
          if (name !== 'absent') assert.equal(value, Reflect.get(wire, name), name);
        for (const [name, reason] of Object.entries(basic.absent))
          assert.deepEqual(reason, Reflect.get(wire.absent, name));
      }
    });
  });
});

/** Each field is the value that is expected, or null with the reason that is expected, and nothing in its place. */
function assertFields(record: Sold, expected: Readonly<Record<string, Maybe<unknown>>>): void {
  for (const [name, maybe] of Object.entries(expected)) {
    const value: unknown = Reflect.get(record, name);
    if (isKnown(maybe)) assert.deepEqual([value, record.absent[name]], [maybe.value, undefined], name);
    else assert.deepEqual([value, record.absent[name]?.reason], [null, maybe.absent], name);
  }
}

/**
 * The street as the source has it, if it is one of a property. Else why there is none: land without a number has none; what
 * is missing, a mail box and the place of a sale may be found by the parcel, if there is one, but for what must not be shown.
 */
function assertPlace(record: Sold, name: string, observed: Maybe<string>, hasParcel: boolean): void {
  const value: unknown = Reflect.get(record, name);
  const reason = record.absent[name]?.reason;
  const own = isKnown(observed) ? 'not_stated_by_source' : observed.absent;
  const missing = hasParcel && own !== 'suppressed_by_policy' ? 'pending_parcel_lookup' : own;
  switch (valueOf(observed)) {
    case undefined:
    case 'PO Box 1':
    case 'Justice Center':
      return assert.deepEqual([value, reason], [null, missing]);
    case '0 Example Ave':
      return assert.deepEqual([value, reason], [null, 'no_situs_address']);
    case '100 Example Ave':
      return assert.deepEqual([value, reason], ['100 Example Ave', undefined]);
    default:
      if (value === null) assert.ok(reason === 'no_situs_address' || reason === missing, reason);
      else assert.deepEqual([value, reason], [valueOf(observed), undefined]);
  }
}

function statedFields(observed: ObservedListing): Record<string, Maybe<unknown>> {
  return {
    address: observed.address,
    zip: observed.zip,
    listing_url: observed.listingUrl,
    list_price: mapMaybe(observed.listPrice, roundHalfUp),
    units: observed.units,
    cap_rate: mapMaybe(observed.capRate, roundHalfUp),
    property_type: observed.propertyType,
    year_built: observed.yearBuilt,
  };
}

function signalFields(observed: ObservedSignal): Record<string, Maybe<unknown>> {
  return {
    city: observed.city,
    zip: observed.zip,
    years_owed: observed.yearsOwed,
    tax_sale_date: observed.taxSaleDate,
    assessed_value: observed.assessedValue,
    source_published_at: mapMaybe(observed.sourcePublishedAt, (date) => date.toISOString()),
    list_year: observed.listYear,
  };
}

function auctionFields(observed: ObservedAuction): Record<string, Maybe<unknown>> {
  return {
    city: observed.city,
    zip: observed.zip,
    appraised_value: observed.appraisedValue,
    opening_bid: observed.openingBid,
    judgment_amount: observed.judgmentAmount,
    deposit_requirement: observed.depositRequirement,
    plaintiff: observed.plaintiff,
    defendant: observed.defendant,
    attorney: observed.attorney,
    case_status: observed.caseStatus,
    parcel_id: observed.parcelId,
  };
}

/** What the source states, else what the ZIP tells. */
function countyOf({ county, countyFips }: Listing): Maybe<string> {
  const told = ({ '39035': 'Cuyahoga', '18097': 'Marion' } as Record<string, string>)[valueOf(countyFips) ?? ''];
  return isKnown(county) || told === undefined ? county : known(told);
}

function mapMaybe<From, To>(maybe: Maybe<From>, map: (value: From) => To): Maybe<To> {
  return isKnown(maybe) ? known(map(maybe.value)) : maybe;
}

/** From the first observed price to the last, in percent; not yet observed where there is only one that may be shown. */
function reductionOf({ listPrice, prices }: Listing): Maybe<number> {
  const [first, last] = [prices[0], prices.at(-1)];
  const isWithheld = !isKnown(listPrice) && listPrice.absent === 'suppressed_by_policy';
  const [from, to] = [roundHalfUp(first?.price ?? '0'), roundHalfUp(last?.price ?? '0')];
  if (prices.length < 2 || from === '0.00') return absent(isWithheld ? 'suppressed_by_policy' : 'not_yet_observed');
  const drop = new Decimal(from).minus(to).div(from).times(100);
  return known(Math.max(0, drop.toDecimalPlaces(1, Decimal.ROUND_HALF_UP).toNumber()));
}

const twoDigits = (maybe: Maybe<string>): Maybe<string> => mapMaybe(maybe, (value) => Number(value).toFixed(2));
const roundHalfUp = (value: string): string => new Decimal(value).toFixed(2, Decimal.ROUND_HALF_UP);
