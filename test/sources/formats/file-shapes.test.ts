import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import {
  createDropRoot,
  jsonManifest as json,
  loadOnly,
  ndjsonManifest as ndjson,
  plainHeader,
  plainManifest,
  plainRow as row,
  readAll,
  readOutcome,
  testNow,
  writeFeed,
} from './drop-feed.js';
import { rejects } from '../upstream/mock-server.js';

const jsonRow = (id: string, rest = {}) =>
  JSON.stringify({ id, street: '1 Main St', city: 'Cleveland', state: 'OH', zip: '44105', price: 250000, ...rest });

describe('a delivered file', () => {
  let root: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ root, remove } = await createDropRoot());
  });
  afterEach(() => remove());

  const deliver = (content: string, manifest: typeof plainManifest = plainManifest) =>
    writeFeed(root, 'feed', manifest, { [manifest.file]: content });
  const readDeals = async () => {
    const source = await loadOnly(root, testNow);
    const problems = new Set<string>();
    const deals = [];
    for await (const page of source.readPages()) {
      if (page.problem !== undefined) problems.add(page.problem);
      deals.push(...page.rows.map((raw) => ('reject' in raw ? raw : source.parse(raw))));
    }
    return { deals, problems: [...problems] };
  };

  for (const [what, content, manifest] of [
    ['CSV', plainHeader + row('a') + row('b').trimEnd(), plainManifest],
    ['NDJSON', `${jsonRow('a')}\n${jsonRow('b')}`, ndjson],
  ] as const) {
    it(`of ${what} may lack its last line end`, async () => {
      await deliver(content, manifest);
      assert.deepEqual(await readOutcome(root), { taken: ['a', 'b'], refused: [] });
    });
  }

  for (const [what, content] of [
    ['a sep= line', `sep=,\r\n${plainHeader}${row('a')}`],
    ['title lines', `Listings of November\n\n"Broker, Inc.",,,\n${plainHeader}${row('a')}`],
    ['semicolons', (plainHeader + row('a')).replaceAll(',', ';')],
    ['sep= and semicolons', `sep=;\n${(plainHeader + row('a')).replaceAll(',', ';')}`],
    ['tabs', (plainHeader + row('a')).replaceAll(',', '\t')],
    ['headers in another case, with blanks', `ID, Street ,CITY,"S t a t e",Zip,PRICE,Units\n${row('a')}`],
    ['empty columns at the end', `${plainHeader.trimEnd()},,\n${row('a').trimEnd()},,\n`],
    ['empty fields at the end of rows alone', `${plainHeader}${row('a').trimEnd()},,,\n`],
    ['rows without any value', `${plainHeader}${row('a')},,,,,,\n`],
  ] as const) {
    it(`is read with ${what}`, async () => {
      await deliver(content);
      const { deals, problems } = await readDeals();
      assert.deepEqual(problems, []);
      assert.equal(deals.length, 1);
      const [deal] = deals;
      if (deal === undefined || !('listPrice' in deal)) assert.fail(JSON.stringify(deal));
      assert.deepEqual([deal.sourceKey, deal.listPrice, deal.units], ['a', known('250000'), known(4)]);
    });
  }

  it('names the column that is nearest to one that is missing', async () => {
    await deliver(`${plainHeader.replace('price', 'prices')}${row('a')}`);
    await rejects(readDeals(), 'delivery_unreadable', /lacks "price" \(the nearest is "prices"\)/);
  });

  for (const [what, content, manifest] of [
    ['CSV', plainHeader.replace('units', 'unitz') + row('a'), plainManifest],
    ['JSON', `[${jsonRow('a', { unitz: 4 })}]`, json],
    ['NDJSON', `${jsonRow('a', { unitz: 4 })}\n`, ndjson],
  ] as const) {
    it(`of ${what} whose rows all lack a mapped column does not publish it, and its operator is told, however few they are`, async () => {
      await deliver(content, manifest);
      const { deals, problems } = await readDeals();
      assert.deepEqual(
        deals.map((deal) => ('units' in deal ? deal.units : deal)),
        [absent('not_published_by_source')],
      );
      assert.deepEqual(problems, [
        'No row has the mapped column "units" (the nearest is "unitz"). Correct the mapping.',
      ]);
    });
  }

  it('of JSON may name its columns in another case, and leave one out in some rows', async () => {
    await deliver(`[${jsonRow('a', { Units: 4 })}, ${jsonRow('b')}]`, json);
    const { deals, problems } = await readDeals();
    assert.deepEqual(problems, []);
    assert.deepEqual(
      deals.map((deal) => ('units' in deal ? deal.units : deal)),
      [known(4), absent('not_stated_by_source')],
    );
  });

  it('refuses each row with one comma too many', async () => {
    await deliver(`${plainHeader}${row('a').replace('Main St', 'Main St, rear')}`);
    assert.deepEqual(await readOutcome(root), { taken: [], refused: ['row_unreadable deals.csv:1'] });
  });

  it('uses the delimiter of its manifest, whatever the header looks like', async () => {
    const manifest = { ...plainManifest, delimiter: '|' };
    await deliver((plainHeader + row('a')).replaceAll(',', '|'), manifest);
    assert.equal((await readAll(await loadOnly(root))).rows.length, 1);
  });
});
