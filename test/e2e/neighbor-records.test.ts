import assert from 'node:assert/strict';
import type { DealList, LeadList } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import { observeSignal } from '../signals/observed-signal.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { dropListings } from '../support/drop-listings.js';
import { buy } from '../support/pay.js';

/** A building that is for sale, and another place: on the next road, in the next urbanization. */
const neighbors: readonly (readonly [street: string, neighbor: string])[] = [
  ['2000 Ohio Hwy 4', '2000 OHIO HWY 48'],
  ['1000 Private Road 12', '1000 Private Road 14'],
  ['100 Route A', '100 Route B'],
  ['150 Calle A, Urb Las Gladiolas', '150 Calle A, Urb Royal Oak'],
];
/** And what may be of it, for a person to look at. */
const doubtful: readonly (readonly [street: string, record: string])[] = [
  ['3000 Main St', '3000 Main St, 3100 Oak St'],
  ['3200 Main St', '3200 Main St 2'],
];

describe('a debt on the property next to one that is for sale', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startTestApp({ withData: false, settler: createInstantSettler() });
  });
  afterEach(() => app.stop());

  const textOf = async (path: string): Promise<string> => (await buy(`${app.url}${path}`)).text();

  for (const [street, neighbor] of [...neighbors, ...doubtful]) {
    it(`changes no byte of the deal, makes no lead of it and shows no owner: ${street} / ${neighbor}`, async () => {
      dropListings(app.config.dropDirectory, `B-1,"${street}",Cleveland,OH,44105,300000,4,9.5`);
      await app.work.ingest();
      await app.work.publish('all');
      const deals = await textOf('/api/deals');
      const [deal] = JSON.parse(deals) as DealList;
      const lookup = `/api/lookup?address=${encodeURIComponent(`${street}, Cleveland, OH 44105`)}`;
      const read = neighbors.some(([each]) => each === street) ? (text: string): string => text : matchesOf;
      const before = read(await textOf(lookup));
      const address = known(neighbor);
      await readCountyRecords(app, { signals: [observeSignal({ address, amount: '90002.00' })] });
      await app.work.publish('all');
      assert.equal(await textOf('/api/deals'), deals);
      assert.equal(read(await textOf(lookup)), before);
      const leads = JSON.parse(await textOf('/api/leads')) as LeadList;
      assert.ok(deal !== undefined && leads.every(({ id }) => id !== deal.id));
    });
  }
});

/** What counts as evidence; what may be of the property is told apart from it. */
function matchesOf(lookup: string): string {
  return JSON.stringify((JSON.parse(lookup) as { matches: unknown }).matches);
}
