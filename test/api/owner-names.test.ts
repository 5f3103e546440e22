import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { known } from '../../src/absence.js';
import { createLog } from '../../src/log.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { livePath } from '../support/live-path.js';
import { buy } from '../support/pay.js';

const mark = 'QUILLFEATHER';
const owner = `${mark} EXAMPLE HOLDINGS LLC`;

describe('the name of an owner', () => {
  let app: TestApp;
  let logged = '';
  before(async () => {
    const out = new Writable({ write: (chunk, _, done) => ((logged += String(chunk)), done()) });
    app = await startTestApp({ settler: createInstantSettler(), log: createLog('trace', out) });
    const saleDate = new Date(app.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    await readCountyRecords(app, {
      signals: [
        observeSignal({ sourceKey: 's1', parcelId: 'P-1', ownerName: owner, address: known('1 Example Ave') }),
        // An invalid URL breaks the contract: the record is left out and logged.
        observeSignal({ sourceKey: 's2', parcelId: 'P-2', ownerName: owner, sourceUrl: `mailto:${owner}` }),
      ],
      auctions: [observeAuction({ saleDate, defendant: known(owner), address: known('1 Example Ave') })],
    });
    await app.pipeline.publish('all');
  });
  after(() => app.stop());

  it('is in the sold records', async () => {
    for (const path of ['/api/signals', '/api/auctions', '/api/leads'])
      assert.ok((await (await buy(app.url + path)).text()).includes(mark), path);
  });

  for (const query of ['', '?county=nowhere', '?min_score=none&county=%00'])
    it(`is in no unpaid reply${query && `, as for ${query}`}`, async () => {
      const priced = app.contract.operations.filter(({ priceUsd }) => priceUsd !== undefined);
      for (const { path } of priced) {
        const url = new URL(app.url + livePath(app, path));
        for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
        const reply = await fetch(url);
        assert.ok(query === '' ? reply.status === 402 : reply.status !== 200, `${reply.status} for ${url.href}`);
        const headers = JSON.stringify([...reply.headers]);
        const challenge = Buffer.from(reply.headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString();
        assert.ok(!(headers + challenge + (await reply.text())).includes(mark), url.href);
      }
    });

  it('is in no log line of any level, even for records that break the contract or that the database refuses', async () => {
    const broken = observeSignal({ sourceKey: 's3', parcelId: 'P-3', ownerName: owner, amount: 'no number' });
    const failure: unknown = await readCountyRecords(app, { signals: [broken] }).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(failure instanceof Error);
    app.log.error({ err: failure }, 'the run failed');
    assert.match(logged, /the run failed/);
    assert.match(logged, /Signal breaks the contract/);
    assert.equal(
      logged.split('\n').find((line) => line.includes(mark)),
      undefined,
    );
  });
});
