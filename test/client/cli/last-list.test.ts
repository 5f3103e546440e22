import assert from 'node:assert/strict';
import { priced, requirementOf, sold, startMockServer } from '../mock-server.js';
import { createMemoryFiles, free, run } from './run.js';

const ids = ['10b6e2bb-d130-57e9-a3c1-109daff714fa', '10b6e2cc-d130-57e9-a3c1-109daff714fa'];
const streets = ['4276 E Larkspur Blvd', '12 Quarry Dr'];
const deals = [...ids, ...Array.from({ length: 23 }, (_, row) => `d4${String(row).padStart(6, '0')}-d130-57e9-a3c1-109daff714fa`)].map(
  (id, row) => ({
    id,
    address: streets[row] ?? `${row} Main St`,
    city: 'Toledo',
    state: 'OH',
    list_price: '150000.00',
    deal_score: 80,
    rental_status: 'Hot',
  }),
); // prettier-ignore

const report = priced([requirementOf({ amount: '1500000' })]);

/** Shows the list on a terminal, then runs further commands with the files that it left. */
async function afterList(...commands: readonly (readonly string[])[]) {
  const files = createMemoryFiles();
  const server = await startMockServer([free(deals, { 'X-Total-Count': '25' }), report]);
  const person = { isThere: true, files, says: false, server };
  try {
    const list = await run([], ['deals'], person);
    const later = [];
    for (const words of commands) {
      const { length } = server.requests;
      const { code, error, paths } = await run([], words, person);
      later.push({ code, error, paths: paths.slice(length) });
    }
    return { list, later, files };
  } finally {
    await server.stop();
  }
}

describe('the last list', () => {
  it('is 20 rows on a terminal, with what is left and how to see it; every row anywhere else', async () => {
    const { list } = await afterList();
    assert.equal(list.out.trimEnd().split('\n').length, 22);
    assert.match(list.error, /^20 of 25 records\. 5 more: --all shows them, free\.$/m);
    const piped = await run([free(deals)], ['deals', '--table']);
    assert.equal(piped.out.trimEnd().split('\n').length, 27);
    assert.doesNotMatch(piped.error, /more/);
  });

  it('names a deal by its row, by the first digits of its id, and by its address', async () => {
    const { later } = await afterList(
      ['report', '2', '--dry-run'],
      ['report', '10b6e2cc', '--dry-run'],
      ['report', '12 quarry dr., toledo oh', '--dry-run'],
      ['report-preview', '2'],
    );
    for (const { paths } of later.slice(0, 3)) assert.deepEqual(paths, [`/api/deals/${ids[1]}/report`]);
    assert.deepEqual(later[3]?.paths[0], `/api/deals/${ids[1]}/report/preview`);
    assert.match(later[0]?.error ?? '', /^12 Quarry Dr, Toledo, OH \(10b6e2cc-/);
  });

  it('refuses what it does not have or has twice, with the cure, and asks the server nothing', async () => {
    const { later } = await afterList(['report', '99'], ['report', '10b6e2'], ['report', '9 Elm St'], ['report', 'x']);
    assert.deepEqual(
      later.map(({ code, paths }) => [code, paths]),
      later.map(() => [2, []]),
    );
    const [beyond, twice, none] = later.map(({ error }) => error);
    assert.match(beyond ?? '', /^The last list has 20 rows\.\n/);
    assert.match(
      twice ?? '',
      /^"10b6e2" may be 2 deals of the last list:\n {2}1 {2}4276 E Larkspur Blvd, Toledo, OH\n/,
    );
    assert.match(none ?? '', /^The last list has no deal "9 Elm St"\. Which one\? report 3 of the last list, or an id/);
  });

  it('of another server is refused by name, and no list is told as such', async () => {
    const { files } = await afterList();
    const { error } = await run([report], ['report', '1'], { files });
    assert.match(error, /^The last list is of http:\/\/127\.0\.0\.1:\d+, and BASE_URL is http:/);
    assert.match((await run([report], ['report', '1'])).error, /^No list was shown yet\. Which one\?/);
  });

  it('is kept of shown deals alone, and a list that cannot be kept is no fault', async () => {
    const files = createMemoryFiles();
    await run([free(deals)], ['deals'], { files });
    await run([free([{ id: 'a' }])], ['ids'], { files, isThere: true });
    await assert.rejects(files.read('last.json'));
    const broken = { ...files, write: () => Promise.reject(new Error('EROFS')) };
    assert.equal((await run([priced(), sold(deals)], ['deals'], { isThere: true, files: broken })).code, 0);
  });
});
