import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Auction, Lead, Lookup, Signal, SignalList } from '../../generated/types.gen.js';
import { isKnown, valueOf, type Maybe } from '../../src/absence.js';
import type { ObservedAuction } from '../../src/counties/auctions/auction.js';
import type { ObservedSignal } from '../../src/counties/signals/signal.js';
import { anyAuction, anySignal, numberAuctions, numberSignals } from '../sources/ingest/arbitrary-observation.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';

import { assertFields, mapMaybe, maybe, numRuns, type Sold } from './maybe-fields.js';

describe('a county record with any missing input has its remaining values and a reason for each absence', () => {
  let app: TestApp;
  let signals: SignalList;
  let auctions: readonly Auction[];
  const observedSignals = numberSignals(fc.sample(anySignal(maybe), { numRuns }));
  const observedAuctions = numberAuctions(fc.sample(anyAuction(maybe), { numRuns }));

  before(async () => {
    app = await startTestApp({ settler: createInstantSettler(), withData: false });
    await readCountyRecords(app, { signals: observedSignals, auctions: observedAuctions });
    await app.pipeline.publish('all');
    signals = (await (await buy(`${app.url}/api/signals`)).json()) as SignalList;
    auctions = (await (await buy(`${app.url}/api/auctions?include_past=true`)).json()) as Auction[];
  });
  after(() => app.stop());

  it("signals: has every field, with the source's value or null and its reason", () => {
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

  it("auctions: has every field, with the source's value or null and its reason", () => {
    assert.equal(auctions.length, numRuns);
    for (const auction of auctions) {
      const observed =
        observedAuctions.find(({ caseNumber }) => valueOf(caseNumber) === auction.case_number) ?? assert.fail();
      assertFields(auction, auctionFields(observed));
      assertPlace(auction, 'property_address', observed.address, isKnown(observed.parcelId));
      for (const entry of auction.status_history) assert.equal(entry.date === null, entry.absent.date !== undefined);
    }
  });

  it('leads: equals a record of its feed in every value and reason, and adds its score', async () => {
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

  it('lookup: returns records as their feeds sell them, whatever parts the question omits', async () => {
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

/**
 * The source's street, if it belongs to a property; otherwise the reason. Land without a number has none. A missing
 * street, a mail box or the place of a sale is filled from the parcel, if there is one, unless it must not be shown.
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
