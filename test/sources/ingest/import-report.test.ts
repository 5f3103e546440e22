import assert from 'node:assert/strict';
import { describeColumns } from '../../../jobs/source-table.js';
import type { Database } from '../../../src/db/database.js';
import { recordParserOf } from '../../../src/sources/formats/parse-record-row.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import { readRejects } from '../../../src/sources/rejects-reader.js';
import type { PagedSource, Source, DeliveryKind } from '../../../src/sources/source.js';
import { readStandings } from '../../../src/sources/standings-reader.js';
import { openTestDatabase } from '../../support/database.js';
import { createDropRoot, loadOnly, plainHeader, plainManifest, writeFeed } from '../formats/drop-feed.js';
import { mapping, row as countyRow } from '../formats/mock-arcgis.js';
import { clock, ingestOptions, licence, setDay } from './scripted-source.js';

const row = (id: string, price = '250000', state = 'OH') => `${id},${id} Main St,Cleveland,${state},44105,${price},4\n`;
const rowsOf = (from: number, count: number, price?: string) =>
  Array.from({ length: count }, (_, index) => row(`${from + index}`, price)).join('');

describe('the import report of a reading', () => {
  let database: Database;
  let root: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    database = await openTestDatabase();
    ({ root, remove } = await createDropRoot());
    setDay(30);
  });
  afterEach(async () => {
    await database.close();
    await remove();
  });

  const ingest = <K extends DeliveryKind>(source: Source<K>, how = {}) =>
    ingestSource(source, { ...ingestOptions(database.knex), ...how });
  const deliver = async (rows: string, how = {}) => {
    await writeFeed(root, 'feed', plainManifest, { 'deals.csv': plainHeader + rows });
    return ingest(await loadOnly(root, clock.now), { rereadUnchanged: true, ...how });
  };
  const activeListings = async () => (await database.knex('listing_sources').where({ active: true })).length;
  const standing = async () => (await readStandings(database.knex))[0];

  it('counts rows by reason, and values by field and code, with at most three shortened examples', async () => {
    const bad = ['350000-389000', '1234,5', '1 - 2', `${'9'.repeat(30)} - ${'9'.repeat(40)}`].map((price, at) =>
      row(`${at + 1}`, `"${price}"`),
    );
    const content = rowsOf(10, 20) + bad.join('') + row('30', '') + row('31', '5', 'ZZ');
    const { imported, status } = await deliver(content);
    assert.equal(status, 'completed');
    assert.deepEqual(imported.rows, { accepted: 25, refused: { unknown_state: 1 } });
    const { listPrice, state } = imported.columns;
    assert.deepEqual(
      { ...listPrice, examples: [] },
      { read: 20, notStated: 1, notUnderstood: 4, codes: { range: 3, grouping: 1 }, examples: [] },
    );
    assert.deepEqual(listPrice?.examples, ['350000-389000', '1234,5', '1 - 2']);
    assert.deepEqual(state?.codes, { unknown_state: 1 });
    assert.deepEqual((await standing())?.lastImport, { at: clock.now, report: imported });
    const long = await readRejects(database.knex, { source: 'brokers', column: 'listPrice', limit: 50 });
    assert.deepEqual(
      long?.map(({ text }) => text?.length),
      [13, 6, 5, 60],
    );
  });

  it('tells for each refused row and value where it stands, what was expected, and what was written', async () => {
    await deliver(rowsOf(10, 8) + row('1', '1-2') + row('2', '5', 'ZZ') + 'c,too,few\n');
    const all = await readRejects(database.knex, { source: 'brokers', limit: 50 });
    assert.deepEqual(
      all?.map(({ place, column, code, text }) => [place, column, code, text]),
      [
        ['deals.csv:10', '', 'unknown_state', null],
        ['deals.csv:10', 'state', 'unknown_state', 'ZZ'],
        ['deals.csv:11', '', 'row_unreadable', null],
        ['deals.csv:9', 'listPrice', 'range', '1-2'],
      ],
    );
    assert.equal(all?.[3]?.detail, 'one figure, not a range');
    assert.equal((await readRejects(database.knex, { source: 'brokers', limit: 2 }))?.length, 2);
    assert.equal(await readRejects(database.knex, { source: 'nobody', limit: 2 }), undefined);
    await deliver(rowsOf(10, 8));
    assert.deepEqual(await readRejects(database.knex, { source: 'brokers', limit: 50 }), [], 'of the last reading');
  });

  it('fails and replaces nothing when every row has one comma too many', async () => {
    await deliver(rowsOf(10, 8));
    const failed = await deliver(rowsOf(10, 8).replaceAll(' Main St', ' Main St, rear'));
    assert.equal(failed.status, 'failed');
    assert.match(failed.problem ?? '', /All 8 rows were refused \(row_unreadable 8\)\. Nothing was replaced/);
    assert.equal(await activeListings(), 8);
    assert.equal((await standing())?.lastProblem?.code, 'delivery_unreadable');
    const tried = await deliver(rowsOf(10, 8).replaceAll(' Main St', ' Main St, rear'), { dryRun: true });
    assert.equal(tried.status, 'failed');
  });

  it('completes with a problem from one refused row in five on, and is silent below', async () => {
    const { problem: none } = await deliver(rowsOf(10, 9) + row('1', '5', 'ZZ') + row('2', '5', 'ZZ'));
    assert.equal(none, undefined);
    const { status, problem } = await deliver(rowsOf(10, 8) + row('1', '5', 'ZZ') + row('2', '5', 'ZZ'));
    assert.equal(status, 'completed');
    assert.equal(problem, '2 of 10 rows were refused (unknown_state 2). See: rejects brokers.');
    assert.equal(await activeListings(), 8);
    const [run] = await database.knex('source_runs').orderBy('id', 'desc').limit(1);
    assert.equal(run?.problem, problem);
  });

  it('completes with a problem when a column is understood in under half of its stated values', async () => {
    const half = await deliver(rowsOf(10, 3) + rowsOf(20, 3, '1-2') + rowsOf(30, 3, ''));
    assert.equal(half.problem, undefined);
    const less = await deliver(rowsOf(10, 2) + rowsOf(20, 3, '1-2') + rowsOf(30, 3, ''));
    assert.equal(less.problem, 'listPrice was understood in 2 of 5 rows (range 3). See: rejects brokers.');
    assert.equal(less.status, 'completed');
  });

  it('of a dry run is told and not kept', async () => {
    const tried = await deliver(rowsOf(10, 3) + row('1', '1-2'), { dryRun: true });
    assert.deepEqual(tried.imported.columns.listPrice?.codes, { range: 1 });
    for (const table of ['rejects', 'source_runs']) assert.deepEqual(await database.knex(table), []);
  });

  it('is kept of the last ten readings', async () => {
    for (let day = 31; day < 43; day += 1) {
      setDay(day);
      await deliver(rowsOf(10, 2));
    }
    const kept = await database.knex('source_runs').whereNotNull('import_report').orderBy('id').pluck('id');
    assert.deepEqual(kept, [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  /** A county's list in pages of one row. */
  function createCounty(rows: readonly Record<string, unknown>[]): PagedSource<'signals'> {
    return {
      name: 'county',
      kind: 'scripted',
      delivers: 'signals',
      licence,
      async fetchPage(cursor) {
        const at = Number(cursor ?? 0);
        const payload = rows[at];
        return {
          rows: payload === undefined ? [] : [{ key: `k${at}`, payload }],
          nextCursor: at + 1 < rows.length ? `${at + 1}` : undefined,
          fetchedAt: clock.now,
          sourceUrl: 'https://county.example/',
        };
      },
      parse: recordParserOf('signals', mapping),
    };
  }

  it('shows no text of a person, neither as an example nor among the rejects', async () => {
    const secret = `JANE\u202e DOE ${'x'.repeat(200)}`;
    const { imported } = await ingest(createCounty([countyRow(1), countyRow(2, { owner: secret, zip_code: '4410' })]));
    assert.equal(imported.columns.ownerName?.notUnderstood, 1);
    const rejects = await readRejects(database.knex, { source: 'county', limit: 50 });
    assert.deepEqual(
      rejects?.map(({ column, text }) => [column, text]),
      [
        ['', null],
        ['ownerName', null],
      ],
    );
    const { rows } = await database.knex.raw('select cast(import_report as text) as report from source_runs');
    for (const kept of [imported, rejects, rows]) assert.doesNotMatch(JSON.stringify(kept), /JANE|DOE/);
  });

  it('shows the shape alone of a text of a county, whose rows may be shifted', async () => {
    const { imported } = await ingest(createCounty([countyRow(1, { zip_code: 'Doe, Jane 3rd' })]));
    assert.deepEqual(imported.columns.zip?.examples, ['xxx, xxxx 3xx']);
    const [reject] = (await readRejects(database.knex, { source: 'county', column: 'zip', limit: 1 })) ?? [];
    assert.equal(reject?.text, 'xxx, xxxx 3xx');
  });

  it('has no examples of a delivery with a row that has more columns than its header', async () => {
    const whole = row('1', '"Jane Doe"');
    const { imported } = await deliver(whole);
    assert.deepEqual(imported.columns.listPrice?.examples, ['Jane Doe']);
    for (const dryRun of [false, true]) {
      const shifted = await deliver(whole + row('2').replace('Main St', 'Main St, rear'), { dryRun });
      assert.deepEqual(shifted.imported.rows.refused, { row_unreadable: 1 });
      assert.deepEqual(shifted.imported.columns.listPrice?.examples, []);
    }
  });

  it('names each column of a delivery that no field reads, with the nearest that one does', async () => {
    const header = plainHeader.trimEnd();
    await writeFeed(root, 'feed', plainManifest, { 'deals.csv': `${header},unitz\n${row('1').trimEnd()},4\n` });
    const { imported } = await ingest(await loadOnly(root, clock.now), { dryRun: true });
    assert.deepEqual(imported.unmapped, ['"unitz" (the nearest is "units")']);
    assert.equal(describeColumns(imported).at(-1), 'not mapped: "unitz" (the nearest is "units")');
  });

  it('goes on with a reading that was cut off', async () => {
    const county = createCounty([countyRow(1, { zip_code: 'A' }), countyRow(2), countyRow(3)]);
    const stop = new AbortController();
    const fetchPage: typeof county.fetchPage = async (cursor) => {
      if (cursor === '2') stop.abort(new Error('The process is stopping.'));
      return county.fetchPage(cursor);
    };
    await assert.rejects(ingest({ ...county, fetchPage }, { signal: stop.signal }), /stopping/);
    const { imported } = await ingest(county);
    assert.equal(imported.rows.accepted, 3);
    const { read, codes } = imported.columns.zip ?? assert.fail();
    assert.deepEqual([read, codes], [2, { not_a_zip: 1 }]);
  });
});
