import assert from 'node:assert/strict';
import type { CountedMatches, MatchPreview } from '../../../generated/types.gen.js';
import { countedOperations } from '../../../src/api/count/counters.js';
import { startTestApp } from '../../support/app.js';
import { shareApp, type SharedApp } from '../../support/shared-app.js';

describe('the preview in a 402', () => {
  let app: SharedApp;
  before(async () => (app = await shareApp()));

  const previewAt = async (path: string, from = app): Promise<MatchPreview | undefined> => {
    const reply = await fetch(from.url + path);
    assert.equal(reply.status, 402, path);
    const header = Buffer.from(reply.headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString();
    assert.doesNotMatch(header, /preview/);
    return ((await reply.json()) as { preview?: MatchPreview }).preview;
  };

  // Events are counted anew from moment to moment: their 402 names no preview.
  for (const [of, operationId] of Object.entries(countedOperations).filter(([each]) => each !== 'events'))
    it(`of ${operationId} is what the count says`, async () => {
      const path = app.contract.operations.find((each) => each.operationId === operationId)?.path ?? '';
      for (const query of ['', '?state=OH', '?state=WY'])
        for (const again of ['first', 'again']) {
          const preview = await previewAt(path + query);
          const { matches, coverage } = (await (await fetch(app.url + (preview?.url ?? ''))).json()) as CountedMatches;
          assert.deepEqual({ matches: preview?.matches, coverage: preview?.coverage }, { matches, coverage }, again);
          assert.equal(preview?.url, `/api/count?of=${of}${query.replace('?', '&')}`);
        }
    });

  it('names no view, order or limit, and sorts the filters', async () => {
    const preview = await previewAt('/api/deals?zip=44105,43609&min_dscr=1.2&view=compact&sort=price&limit=5');
    assert.equal(preview?.url, '/api/count?of=deals&min_dscr=1.2&zip=43609,44105');
  });

  it('is left out of a lookup, of a faulty request and of a HEAD', async () => {
    assert.equal(await previewAt('/api/lookup?address=1%20Main%20St,%20Cleveland,%20OH'), undefined);
    assert.equal(await previewAt('/api/deals?colour=red'), undefined);
    assert.equal((await fetch(`${app.url}/api/deals`, { method: 'HEAD' })).status, 402);
  });

  it('is left out over the limit of counts, and never refused for it; without filters it tells no single record', async () => {
    const limited = await startTestApp({ withData: false, environment: { COUNTS_PER_MINUTE: '2' } });
    await limited.pipeline.publish('all');
    const told: boolean[] = [];
    for (const query of ['state=OH', 'state=IN', 'state=TX', 'state=TN'])
      told.push((await previewAt(`/api/deals?${query}`, limited)) !== undefined);
    assert.deepEqual(told, [true, true, false, false]);
    assert.ok(await previewAt('/api/deals?view=compact', limited));
    assert.equal((await fetch(`${limited.url}/api/count?of=deals`)).status, 429);
    await limited.stop();
  });

  it('is left out where the database cannot tell, and the price is told all the same', async () => {
    const alone = await startTestApp({ withData: false });
    await alone.pipeline.publish('all');
    await alone.database.knex.schema.dropTable('lead_holds');
    assert.equal((await fetch(`${alone.url}/api/leads`)).status, 402);
    await alone.stop();
  });
});
