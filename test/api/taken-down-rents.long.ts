import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DealList, Meta, Report } from '../../generated/types.gen.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { dropListings } from '../support/drop-listings.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';

/** Short enough that the payments stay valid. */
const licenceMs = 60_000;
const licence = { class: 'licensed', mayStore: true, mayResell: true, attribution: 'Rents of an agency' };

/** A deal in a ZIP whose rent is in both a licensed workbook and a carried table; the workbook's is 4321. */
describe('rents that may not be sold', () => {
  let app: TestApp;
  let directory: string;
  let aheadMs: number;

  beforeEach(async () => {
    aheadMs = 0;
    directory = mkdtempSync(join(tmpdir(), 'rents-'));
    writeFileSync(
      join(directory, 'rents.csv'),
      'ZIP Code,SAFMR 0BR,SAFMR 1BR,SAFMR 2BR,SAFMR 3BR,SAFMR 4BR\n44105,1000,1100,4321,4400,4500\n',
    );
    configure();
    app = await startTestApp({
      withData: false,
      settler: createInstantSettler(),
      now: () => new Date(Date.now() + aheadMs),
      environment: { SOURCES_FILE: join(directory, 'sources.json'), CONTACT_URL: 'https://deals.example.com/about' },
    });
    dropListings(app.config.dropDirectory);
  });
  afterEach(async () => {
    await app.stop();
    rmSync(directory, { recursive: true });
  });

  function configure(changes: object | undefined = {}): void {
    const file = join(directory, 'rents.csv');
    const source = { kind: 'hud-user', name: 'rents', licence: { ...licence, ...changes }, file, fiscalYear: 2027 };
    writeFileSync(join(directory, 'sources.json'), JSON.stringify({ sources: [source] }));
  }

  async function readDeals(): Promise<DealList> {
    const reply = await buy(`${app.url}/api/deals`);
    return reply.status === 200 ? ((await reply.json()) as DealList) : [];
  }

  async function publishAll(): Promise<DealList[number]> {
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    return (await readDeals())[0] ?? assert.fail();
  }

  const endings: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['when their licence ends', async () => (aheadMs = licenceMs)],
    [
      'when their licence is without the right to resell',
      async () => {
        configure({ mayResell: false });
        await app.pipeline.ingest(undefined, { delivers: ['signals'] });
      },
    ],
    ['when an operator removes their source', () => app.pipeline.setSourceRemoved('rents', true)],
  ];

  for (const [when, end] of endings) {
    describe(when, () => {
      let before: DealList[number];
      beforeEach(async () => {
        configure({ expiresAt: new Date(Date.now() + licenceMs).toISOString() });
        before = await publishAll();
        assert.equal(before.market_rent_2br, '4321.00');
        await end();
      });

      it('leave every deal and report at once', async () => {
        await app.pipeline.refresh();
        assert.deepEqual(await readDeals(), []);
        const { free_samples: samples } = (await (await fetch(`${app.url}/api/meta`)).json()) as Meta;
        assert.deepEqual(samples.deals, []);
        assert.equal((await buy(`${app.url}/api/deals/${before.id}/report`)).status, 404);
      });

      it('give way to the carried rents as soon as the licences job has run', async () => {
        assert.equal((await app.pipeline.publishIfBehind())?.changed, 1);
        const [deal] = await readDeals();
        assert.equal(deal?.market_rent_2br, '1070.00');
        const report = (await (await buy(`${app.url}/api/deals/${before.id}/report`)).json()) as Report;
        assert.doesNotMatch(JSON.stringify(report), /4321/);
        assert.equal(await app.pipeline.publishIfBehind(), undefined);
      });

      it('give way as well when changed county data is published first', async () => {
        await app.pipeline.publish('changed');
        assert.equal((await readDeals())[0]?.market_rent_2br, '1070.00');
      });
    });
  }

  it('never count when the licence had no right to resell from the start', async () => {
    configure({ mayResell: false });
    assert.equal((await publishAll()).market_rent_2br, '1070.00');
  });

  it('count again after the licence is renewed, without another reading', async () => {
    await publishAll();
    configure({ mayResell: false });
    assert.equal((await publishAll()).market_rent_2br, '1070.00');
    configure();
    assert.equal((await publishAll()).market_rent_2br, '4321.00');
  });
});
