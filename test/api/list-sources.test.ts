import assert from 'node:assert/strict';
import { listSources } from '../../generated/sdk.gen.js';
import type { SourceState } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import type { ObservedListing } from '../../src/listings/listing.js';
import { readSourceStates } from '../../src/sources/standings-reader.js';
import { SourceError, type SourceErrorCode } from '../../src/sources/source-error.js';
import { observe } from '../listings/observation.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { clock } from '../sources/ingest/scripted-source.js';
import { createApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readSource } from '../support/read-source.js';

const unsaid = ['intranet.example', '8443', 'operator', 'k3y', 'EXAMPLE OWNER', '/srv/rolls'];
const telling = 'https://operator:k3y@intranet.example:8443/?token=k3y refuses /srv/rolls of EXAMPLE OWNER LLC.';

const kinds: Readonly<Record<SourceErrorCode, string>> = {
  upstream_unavailable: 'unavailable',
  upstream_not_ready: 'unavailable',
  upstream_refused: 'refused',
  robots_disallowed: 'refused',
  licence_ended: 'refused',
  delivery_missing: 'missing',
  delivery_incomplete: 'incomplete',
  delivery_changed: 'incomplete',
  count_mismatch: 'incomplete',
  delivery_unreadable: 'unreadable',
  upstream_too_large: 'unreadable',
  manifest_invalid: 'misconfigured',
  configuration_invalid: 'misconfigured',
  address_forbidden: 'misconfigured',
};

const offer = (number: number): ObservedListing =>
  observe({ sourceKey: `s${number}`, address: known(`${number} Example Ave`), zip: known('44105') });

describe('listSources', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false, now: () => clock.now });
  });
  after(() => app.stop());

  /** The reported state of a source after a run that failed with an error. */
  async function tellOf(name: string, error: Error): Promise<SourceState> {
    const source = createScriptedDelivery('listings', { name });
    source.onFetch = () => Promise.reject(error);
    await readSource(app, source);
    return state(name);
  }

  async function state(name: string): Promise<SourceState> {
    clock.now = new Date(clock.now.getTime() + 60_000);
    const { data } = await listSources({ client: createApiClient(app.url) });
    return data?.sources.find((source) => source.name === name) ?? assert.fail(`${name} is not told of.`);
  }

  it('counts the records of each source at most once a minute, for any number of requests', async () => {
    const source = createScriptedDelivery('listings', { name: 'counted' });
    source.deliver({ pages: [[offer(1)]] });
    await readSource(app, source);
    const { records } = await state('counted');
    const counts: string[] = [];
    const note = ({ sql }: { readonly sql: string }) => void (sql.includes('count(') && counts.push(sql));
    app.database.knex.on('query', note);
    await Promise.all(Array.from({ length: 20 }, () => listSources({ client: createApiClient(app.url) })));
    app.database.knex.removeListener('query', note);
    assert.deepEqual([records, counts], [1, []]);
  });

  it('reports the state at the moment of its reading', async () => {
    clock.now = new Date('2030-01-01T00:00:45.000Z');
    const ask = async () => (await listSources({ client: createApiClient(app.url) })).data?.generated_at;
    assert.equal(await ask(), '2030-01-01T00:00:45.000Z');
    clock.now = new Date('2030-01-01T00:00:59.000Z');
    assert.equal(await ask(), '2030-01-01T00:00:45.000Z');
  });

  describe('the last problem', () => {
    for (const [code, kind] of Object.entries(kinds) as [SourceErrorCode, string][])
      it(`is reported as ${kind} after ${code}, in a sentence without server, key, file or owner`, async () => {
        const name = code.replaceAll('_', '-');
        const { status, last_error: error } = await tellOf(name, new SourceError(code, telling));
        assert.deepEqual([status, error?.kind], ['failed', kind]);
        assert.match(error?.problem ?? '', /^[A-Z].*\.$/);
        for (const word of unsaid) assert.ok(!JSON.stringify(error).includes(word), word);
        // The operator's list names the server.
        const kept = (await readSourceStates(app.database.knex)).find((source) => source.name === name);
        assert.equal(kept?.lastProblem?.problem, telling);
      });

    it('is reported as shrunken when too few rows arrived', async () => {
      const source = createScriptedDelivery('listings', { name: 'shrinking' });
      source.deliver({ pages: [[offer(1), offer(2), offer(3)]] });
      await readSource(app, source);
      clock.now = new Date(clock.now.getTime() + 3_600_000);
      source.deliver({ pages: [[offer(1)]] });
      await readSource(app, source, undefined, false);
      const { status, records, last_error: error } = await state('shrinking');
      assert.deepEqual([status, records, error?.kind], ['failed', 3, 'shrunken']);
    });

    it('is reported as other when nothing more is known, as from an old run', async () => {
      await tellOf('older', new SourceError('upstream_refused', telling));
      await app.database.knex('source_runs').where({ source_name: 'older' }).update({ problem_code: null });
      assert.equal((await state('older')).last_error?.kind, 'other');
    });
  });
});
