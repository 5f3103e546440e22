import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DealIds, DealList } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import { matchAddresses } from '../../src/places/addresses/match.js';
import { isEvidence, matchConfidences, type MatchType } from '../../src/places/addresses/match-types.js';
import { normalizeAddress } from '../../src/places/addresses/normalize.js';
import { isNormalizedAddress } from '../../src/places/addresses/normalized-address.js';
import type { SuppressionWish } from '../../src/policy/suppression-list.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { plainManifest } from '../sources/formats/drop-feed.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { askPrice, buy, type ChallengeBody, signPayment } from '../support/pay.js';
import { ask, assertProblem } from '../support/raw-http.js';

/** A property that is for sale, in debt, in a sheriff's sale and a lead, and the spelling of its suppression. */
interface Property {
  /** The match of the two spellings; undefined for a property without a suppression. */
  readonly match: MatchType | undefined;
  readonly wish: string | undefined;
  /** The spelling in its records. */
  readonly street: string;
}

const inCleveland = (line: string): string => `${line}, Cleveland, OH 44105`;
const suppressed = (match: MatchType, wish: string, street: string): Property => ({ match, wish, street });
const neighbor = (street: string): Property => ({ match: undefined, wish: undefined, street });

const properties: readonly Property[] = [
  suppressed('exact_normalized', inCleveland('100 Alpha Avenue'), '100 Alpha Ave'),
  suppressed('exact_unit', inCleveland('102 Bravo Ave Apt 2'), '102 Bravo Ave #2'),
  suppressed('exact_no_zip', '104 Charlie Ave, Cleveland, OH', '104 Charlie Ave'),
  suppressed('range_equal', '106-108 Delta Ave, Cleveland, OH', '106-08 Delta Ave'),
  suppressed('range_contains', inCleveland('110 Echo Ave'), '108 & 110 Echo Ave'),
  suppressed('range_contains', inCleveland('112-116 Foxtrot Ave'), '114 Foxtrot Ave'),
  suppressed('building_level', inCleveland('118 Golf Ave Apt 3'), '118 Golf Ave'),
  suppressed('suffix_missing', inCleveland('310 Hotel Ave'), '310 Hotel'),
  suppressed('suffix_missing', inCleveland('312 India'), '312 India Ave'),
  suppressed('street_alias', inCleveland('1200 Martin Luther King Jr Blvd'), '1200 MLK Blvd'),
  suppressed('street_alias', inCleveland('1400 JFK Blvd'), '1400 John F. Kennedy Blvd'),
  neighbor('310 Hotel St'),
  neighbor('102 Alpha Ave'),
  neighbor('1200 MLK Ave'),
];
const wished = properties.filter(({ wish }) => wish !== undefined);
const lists = ['deals', 'signals', 'auctions', 'leads'];
const lookupOf = ({ street }: Property): string => `/api/lookup?address=${encodeURIComponent(inCleveland(street))}`;

describe('a property that was suppressed under another spelling', () => {
  let app: TestApp;
  /** The report URL of each property, and the prices of its report and its lookup before. */
  const reports = new Map<Property, string>();
  const offers = new Map<string, ChallengeBody>();

  before(async () => {
    app = await startTestApp({ withData: false, settler: createInstantSettler() });
    drop(app.config.dropDirectory);
    await app.pipeline.ingest();
    const saleDate = new Date(app.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    await readCountyRecords(app, {
      signals: properties.map(({ street }, each) =>
        observeSignal({ sourceKey: `s${each}`, address: known(street), parcelId: `100-20-${each}1` }),
      ),
      auctions: properties.map(({ street }, each) =>
        observeAuction({
          sourceKey: `a${each}`,
          address: known(street),
          parcelId: known(`100-20-${each}1`),
          caseNumber: known(`CV-${each}`),
          saleDate,
        }),
      ),
    });
    await app.pipeline.publish('all');
    const deals = (await (await buy(`${app.url}/api/deals`)).json()) as DealList;
    const { ids } = (await (await fetch(`${app.url}/api/deals/ids`)).json()) as DealIds;
    for (const property of properties) {
      const { id } = deals.find(({ address }) => address === property.street) ?? assert.fail(property.street);
      const { report_url: report } = ids.find((entry) => entry.id === id) ?? assert.fail(property.street);
      reports.set(property, report);
      for (const path of [report, lookupOf(property)]) offers.set(path, await askPrice(app.url + path));
    }
  });
  after(() => app.stop());

  /** The properties in a list, by their streets. */
  async function streetsIn(list: string): Promise<readonly string[]> {
    const text = await (await buy(`${app.url}/api/${list}`)).text();
    return properties.map(({ street }) => street).filter((street) => text.includes(JSON.stringify(street)));
  }

  it('covers each kind of match that counts as evidence', () => {
    for (const { match, wish, street } of wished) {
      const [one, other] = [normalizeAddress(wish ?? ''), normalizeAddress(inCleveland(street))];
      const candidates = [one, other].filter(isNormalizedAddress);
      assert.equal(matchAddresses(one, other, { candidates })?.matchType, match, street);
    }
    const evidence = Object.entries(matchConfidences).flatMap(([matchType, confidence]) =>
      isEvidence({ matchType: matchType as MatchType, confidence }) && matchType !== 'parcel_exact' ? matchType : [],
    );
    assert.deepEqual(new Set(wished.map(({ match }) => match)), new Set(evidence));
  });

  it('was sold before', async () => {
    const all = properties.map(({ street }) => street);
    for (const list of lists) assert.deepEqual(await streetsIn(list), all, list);
  });

  /** The same tests before and after the publication without it. Deals may mention its records until then. */
  function itIsGone(heldBack: readonly string[] = []): void {
    it('is in no list and no sample, and its neighbors are in all', async () => {
      const neighbors = properties.filter(({ wish }) => wish === undefined).map(({ street }) => street);
      const deals = neighbors.filter((street) => !heldBack.includes(street));
      for (const list of lists) assert.deepEqual(await streetsIn(list), list === 'deals' ? deals : neighbors, list);
      const samples = await (await fetch(`${app.url}/api/meta`)).text();
      for (const { street } of wished) assert.ok(!samples.includes(JSON.stringify(street)), street);
      assert.deepEqual(await streetsIn('deals/basic'), deals);
    });

    it('is unknown to a caller who pays for its report or lookup', async () => {
      for (const property of wished) {
        const pay = async (path: string) => {
          const headers = { 'PAYMENT-SIGNATURE': await signPayment(offers.get(path) ?? assert.fail()) };
          return ask(app.url, path, { headers });
        };
        assertProblem(await pay(reports.get(property) ?? assert.fail()), 404, 'unknown_deal');
        const found = await pay(lookupOf(property));
        // As for any address there: what is like that of a neighbor finds the neighbor.
        if (found.status === 404) assertProblem(found, 404, 'no_match');
        else assert.ok(found.status === 200 && !found.body.includes(JSON.stringify(property.street)));
      }
    });
  }

  describe('at once', () => {
    before(async () => {
      for (const { wish } of wished) await app.pipeline.suppress(asWish(wish));
    });
    itIsGone(['310 Hotel St']);
  });

  describe('after the feeds are published without it', () => {
    before(() => app.pipeline.publishIfBehind());
    itIsGone();
  });
});

function asWish(address = ''): SuppressionWish {
  return { address, reason: 'asked by its owner' };
}

/** A broker's delivery of all the properties. */
function drop(dropDirectory: string): void {
  const folder = join(dropDirectory, 'brokers');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(plainManifest));
  const rows = properties.map(({ street }, each) => `B-${each},${street},Cleveland,OH,44105,200000,4`);
  writeFileSync(join(folder, 'deals.csv'), `${['id,street,city,state,zip,price,units', ...rows].join('\n')}\n`);
  writeFileSync(join(folder, 'deals.csv.done'), '');
}
