import assert from 'node:assert/strict';
import type { DealList, LeadList, SignalList } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { dropListings } from '../support/drop-listings.js';
import { buy } from '../support/pay.js';

/** A building for sale, and another place: on the next road, or in the next urbanization. */
const neighbors: readonly (readonly [street: string, neighbor: string])[] = [
  ['2000 Ohio Hwy 4', '2000 OHIO HWY 48'],
  ['1000 Private Road 12', '1000 Private Road 14'],
  ['1000 Business Highway 5', '1000 Business Highway 7'],
  ['1000 Range Road 5', '1000 Range Road 6'],
  ['1000 Farm Road 1110', '1000 Farm Road 1112'],
  ['100 Route A', '100 Route B'],
  ['150 Calle A, Urb Las Gladiolas', '150 Calle A, Urb Royal Oak'],
];
/** Also the possible matches, for a person to review. */
const doubtful: readonly (readonly [street: string, record: string])[] = [
  ['3000 Main St', '3000 Main St, 3100 Oak St'],
  ['3200 Main St', '3200 Main St 2'],
];
const pairs = [...neighbors, ...doubtful];

describe('a debt on a neighboring property', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startTestApp({ withData: false, settler: createInstantSettler() });
  });
  afterEach(() => app.stop());

  const textOf = async (path: string): Promise<string> => (await buy(`${app.url}${path}`)).text();
  const lookUp = async (street: string): Promise<string> => {
    const text = await textOf(`/api/lookup?address=${encodeURIComponent(`${street}, Cleveland, OH 44105`)}`);
    return neighbors.some(([each]) => each === street) ? text : matchesOf(text);
  };
  const lookUpAll = async (): Promise<string[]> => {
    const texts: string[] = [];
    for (const [street] of pairs) texts.push(await lookUp(street));
    return texts;
  };

  it('changes no byte of a deal or its evidence, and makes no lead of it', async () => {
    const rows = pairs.map(([street], index) => `B-${index},"${street}",Cleveland,OH,44105,300000,4,9.5`);
    dropListings(app.config.dropDirectory, rows.join('\n'));
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    const deals = await textOf('/api/deals');
    const ids = new Set((JSON.parse(deals) as DealList).map(({ id }) => id));
    assert.equal(ids.size, pairs.length);
    const lookups = await lookUpAll();
    const signals = pairs.map(([, record], index) =>
      observeSignal({
        address: known(record),
        sourceKey: `s${index}`,
        parcelId: `13200${index}01`,
        amount: '90002.00',
      }),
    );
    await readCountyRecords(app, { signals });
    await app.pipeline.publish('all');
    const { total } = JSON.parse(await textOf('/api/signals')) as SignalList;
    assert.equal(total, pairs.length);
    assert.equal(await textOf('/api/deals'), deals);
    assert.deepEqual(await lookUpAll(), lookups);
    const leads = JSON.parse(await textOf('/api/leads')) as LeadList;
    assert.ok(leads.every(({ id }) => !ids.has(id)));
  });
});

/** The evidence; possible matches are separate. */
function matchesOf(lookup: string): string {
  return JSON.stringify((JSON.parse(lookup) as { matches: unknown }).matches);
}
