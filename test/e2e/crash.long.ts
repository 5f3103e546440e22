import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slotOf, timetable } from '../../jobs/timetable.js';
import { nameOf, type Cell } from '../crashes/cells.js';
import { allDeals } from '../crashes/crash-products.js';
import { openCrashShop, type CrashShop } from '../crashes/crash-shop.js';
import { launchCrashServer, startCrashServer, type CrashServer } from '../support/crash-process.js';
import { createPostgresDatabase, requirePostgres } from '../support/postgres.js';
import { deep } from '../support/depth.js';

/** A slice of `npm run test:crashes`, in one life of the server: each outcome once, and the worst steps. */
const slice: readonly Cell[] = [
  { step: 'after claim', fate: 'settled' },
  { step: 'after settle', fate: 'landed' },
  { step: 'after settle', fate: 'failed' },
  { step: 'before finish', fate: 'settled' },
  { step: 'before note', fate: 'overtaken' },
  { step: 'after send', fate: 'lost' },
];
/** Statements of the daily work (about 800 in all) after which the process dies, one death per life. */
const deaths = deep([40, 300, 650], []);
/** After the job leases of a dead process. */
const pastLeasesSeconds = 121;

for (const kind of ['embedded', 'postgres'] as const) {
  describe(`kill -9 of a server on ${kind === 'embedded' ? 'the embedded database' : 'PostgreSQL'}`, function () {
    let shop: CrashShop;
    let postgresUrl: string | undefined;

    before(async function () {
      if (kind === 'postgres') postgresUrl = requirePostgres(this);
      const store = postgresUrl === undefined ? {} : { postgresUrl };
      shop = await openCrashShop({ product: allDeals, hasOneDeal: deaths.length === 0, ...store });
    });
    after(() => shop?.close());

    it(`loses nothing and sells nothing twice: ${slice.map(nameOf).join('; ')}`, async () => {
      assert.deepEqual(await shop.crash(slice), new Map());
    });

    it('matches the ledger with the chain, and leaves no payment open, after all of those steps', () =>
      shop.assertConserved());

    const again = deaths.length > 0 ? it : it.skip;
    again('again and again while deals are read, scored and published: the next start completes the feed', async () => {
      const { server } = shop;
      const expected = { ids: await readIds(server), listings: (await server.audit()).listings };
      const store = postgresUrl === undefined ? undefined : await createPostgresDatabase(postgresUrl);
      const directory = mkdtempSync(join(tmpdir(), 'crash-'));
      const environment = { DATA_DIR: directory, ...(store === undefined ? {} : { DATABASE_URL: store.url }) };
      let skewSeconds = secondsPastNextDelivery(new Date());
      for (const dieAfterStatements of deaths) {
        await launchCrashServer({ environment, skewSeconds, dieAfterStatements }).died();
        skewSeconds += pastLeasesSeconds;
      }
      const survivor = await startCrashServer({ environment, skewSeconds });
      try {
        await survivor.worked;
        assert.deepEqual({ ids: await readIds(survivor), listings: (await survivor.audit()).listings }, expected);
      } finally {
        await survivor.stop();
        await store?.drop();
        rmSync(directory, { recursive: true, force: true });
      }
    });
  });
}

/** The next day's delivery, if it is due before all have died. The deaths skip it, so that each reads the same one. */
function secondsPastNextDelivery(now: Date): number {
  const spanSeconds = (deaths.length + 1) * pastLeasesSeconds + 300;
  const later = new Date(now.getTime() + spanSeconds * 1000);
  const reading = timetable.filter(({ job }) => job === 'listings');
  return reading.some((entry) => slotOf(entry, now) < slotOf(entry, later)) ? spanSeconds : 0;
}

/** The ids of all sold deals. */
async function readIds({ url }: CrashServer): Promise<string[]> {
  const body = (await (await fetch(`${url}/api/deals/ids`)).json()) as { ids: { id: string }[] };
  assert.ok(body.ids.length > 100, 'the feed is filled');
  return body.ids.map(({ id }) => id).sort();
}
