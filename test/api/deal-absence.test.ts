import assert from 'node:assert/strict';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { BasicDeal, Deal } from '../../generated/types.gen.js';
import { absent, isKnown, known, valueOf, type Maybe } from '../../src/absence.js';
import { dealToWire } from '../../src/records/deal.js';
import { basicDealToWire } from '../../src/records/deal-views.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import type { Listing, ObservedListing } from '../../src/listings/listing.js';
import { readOffer } from '../../src/deals/scoring/price-events.js';
import { identifyByAddress } from '../../src/listings/listing-identity.js';
import { anyDeal } from '../deals/reports/arbitrary-deal.js';
import { anyListing, numberListings } from '../sources/ingest/arbitrary-observation.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';
import { readSource } from '../support/read-source.js';

import { assertFields, mapMaybe, maybe, numRuns } from './maybe-fields.js';

describe('a deal with any missing input has its remaining values and a reason for each absence', () => {
  describe('of a listing, from its source to its buyer', () => {
    let app: TestApp;
    let deals: readonly Deal[];
    const observed = numberListings(fc.sample(anyListing(maybe), { numRuns }));
    before(async () => {
      app = await startTestApp({ settler: createInstantSettler(), withData: false });
      const source = createScriptedDelivery('listings', { name: 'brokers', now: app.now });
      source.deliver({ pages: [observed] });
      await readSource(app, source);
      await app.pipeline.publish('all');
      deals = (await (await buy(`${app.url}/api/deals`)).json()) as Deal[];
    });
    after(() => app.stop());

    it("deals: has every field, with the source's value or null and its reason", () => {
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

    it('deals: distinguishes an unparsed address from a missing one and from one that must not be shown', () => {
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

    it("deals: has the listing's value, its consequence, or null with the reason in each field", () => {
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

    it('deals: states no figure that lacks an input', () => {
      for (const { wire } of deals) {
        const { list_price: price, units, cap_rate: cap, market_rent_2br: rent } = wire;
        assert.equal(wire.noi_underwritten === null, rent === null || units === null);
        assert.equal(wire.cap_rate_underwritten === null, wire.noi_underwritten === null || price === null);
        const gap = Number(cap) - Number(wire.cap_rate_underwritten);
        const isTooWide = Math.abs(gap) > 100;
        assert.equal(wire.cap_gap_pct === null, cap === null || wire.cap_rate_underwritten === null || isTooWide);
        if (price === null) assert.equal(wire.dscr, null);
        if (wire.noi === null) assert.deepEqual([wire.noi_source, wire.dscr], [null, null]);
      }
    });

    it('basic deals: has the same values and reasons', () => {
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

/** The source's value, else the county or city of the ZIP. */
function countyOf({ county, countyFips }: Listing): Maybe<string> {
  const told = ({ '39035': 'Cuyahoga', '18097': 'Marion' } as Record<string, string>)[valueOf(countyFips) ?? ''];
  return isKnown(county) || told === undefined ? county : known(told);
}

/** From the first observed price to the last settled, in percent; not yet observed while only one may be shown. */
function reductionOf({ listPrice, prices }: Listing): Maybe<number> {
  const [first] = prices;
  const last = readOffer(prices).settled;
  const isSuppressed = !isKnown(listPrice) && listPrice.absent === 'suppressed_by_policy';
  const [from, to] = [roundHalfUp(first?.price ?? '0'), roundHalfUp(last?.price ?? '0')];
  if (prices.length < 2 || from === '0.00') return absent(isSuppressed ? 'suppressed_by_policy' : 'not_yet_observed');
  const drop = new Decimal(from).minus(to).div(from).times(100);
  return known(Math.max(0, drop.toDecimalPlaces(1, Decimal.ROUND_HALF_UP).toNumber()));
}

const twoDigits = (maybe: Maybe<string>): Maybe<string> => mapMaybe(maybe, (value) => Number(value).toFixed(2));
const roundHalfUp = (value: string): string => new Decimal(value).toFixed(2, Decimal.ROUND_HALF_UP);
