import assert from 'node:assert/strict';
import { appendFile, open, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

const jsonRow = (id: string) =>
  JSON.stringify({ id, street: '1 Main St', city: 'Cleveland', state: 'OH', price: 250000 });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);

describe('createDropFolder', () => {
  let root: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ root, remove } = await createDropRoot());
  });
  afterEach(() => remove());

  const expectError = (code: string) =>
    assert.rejects(
      async () => readAll(await loadOnly(root)),
      (error: unknown) => error instanceof Error && 'code' in error && error.code === code,
    );

  for (const [format, manifest, file, content] of [
    ['CSV', plainManifest, 'deals.csv', plainHeader + numbered(450).map(row).join('')],
    [
      'NDJSON',
      ndjson,
      'deals.ndjson',
      numbered(450)
        .map((id) => `${jsonRow(id)}\n`)
        .join(''),
    ],
    ['JSON', json, 'deals.json', ` [ ${numbered(450).map(jsonRow).join(' ,\n')} ] \n`],
  ] as const) {
    it(`reads each row of a ${format} file exactly once, in pages of at most 200`, async () => {
      await writeFeed(root, 'feed', manifest, { [file]: content });
      const { rows, pages } = await readAll(await loadOnly(root));
      assert.deepEqual(
        rows.map(({ key }) => key),
        numbered(450),
      );
      assert.equal(pages, 3);
    });
  }

  it('reads the files of one delivery in the order of their names', async () => {
    const manifest = { ...plainManifest, file: 'deals-*.csv' };
    await writeFeed(root, 'feed', manifest, {
      'deals-2.csv': plainHeader + row('b'),
      'deals-1.csv': plainHeader + row('a'),
      'notes.txt': 'no',
    });
    assert.deepEqual((await readOutcome(root)).taken, ['a', 'b']);
  });

  it('reads quoted fields over several lines, a byte order mark and CRLF', async () => {
    const content = `\ufeffid,street,city,state,zip,price,units\r\n"q1","1 Main ""Old"" St,\r\nrear",Cleveland,OH,,,\r\n\r\nq2,2 Oak St,Toledo,OH,,,\r\n`;
    await writeFeed(root, 'feed', plainManifest, { 'deals.csv': content });
    const { rows } = await readAll(await loadOnly(root));
    assert.deepEqual(
      rows.map(({ key }) => key),
      ['q1', 'q2'],
    );
    const first = rows[0];
    assert.ok(first !== undefined && 'payload' in first);
    assert.deepEqual(first.payload, {
      id: 'q1',
      street: '1 Main "Old" St,\r\nrear',
      city: 'Cleveland',
      state: 'OH',
      zip: '',
      price: '',
      units: '',
    });
  });

  it('rejects a CSV row with wrong quotes or columns and reads the rows beside it', async () => {
    const content = `${plainHeader}${row('a')}"bad,1 Main St,Cleveland\n${row('b')}c,"x"y,Cleveland,OH,,,\n${row('d')}e,too,few\n${row('f')}"open,never\n${row('g')}`;
    await writeFeed(root, 'feed', plainManifest, { 'deals.csv': content });
    const { taken, refused } = await readOutcome(root);
    assert.deepEqual(taken, ['a', 'b', 'd', 'f', 'g']);
    assert.deepEqual(
      refused,
      [2, 4, 6, 8].map((line) => `row_unreadable deals.csv:${line}`),
    );
  });

  it('gives up a quoted field without an end within 256 kB, and reads every row that it contained', async () => {
    const ids = numbered(8000);
    const content = `${plainHeader}"open,never\n${ids.map(row).join('')}`;
    await writeFeed(root, 'feed', plainManifest, { 'deals.csv': content });
    const { taken, refused } = await readOutcome(root);
    assert.deepEqual(taken, ids);
    assert.deepEqual(refused, ['row_too_large deals.csv:1']);
  });

  it('rejects a row of NDJSON or JSON that is no object and continues', async () => {
    await writeFeed(root, 'a', ndjson, { 'deals.ndjson': `${jsonRow('a')}\n{"id": \n[1]\nnull\n${jsonRow('b')}\n` });
    assert.deepEqual(await readOutcome(root), {
      taken: ['a', 'b'],
      refused: [2, 3, 4].map((line) => `row_unreadable deals.ndjson:${line}`),
    });
    await remove();
    await writeFeed(root, 'b', json, { 'deals.json': `[${jsonRow('a')}, 7, {"id" 1}, "]", [{}], ${jsonRow('b')}]` });
    const outcome = await readOutcome(root);
    assert.deepEqual(outcome.taken, ['a', 'b']);
    assert.equal(outcome.refused.length, 4);
  });

  it('rejects a row that is not valid UTF-8 and continues', async () => {
    const latin = Buffer.concat([
      Buffer.from(plainHeader + row('a')),
      Buffer.from('b,1 Ca\xf1on St,Cleveland,OH,,,\n', 'latin1'),
      Buffer.from(row('c')),
    ]);
    await writeFeed(root, 'feed', plainManifest, { 'deals.csv': latin });
    assert.deepEqual(await readOutcome(root), { taken: ['a', 'c'], refused: ['wrong_encoding deals.csv:2'] });
  });

  it('refuses a file in UTF-16 completely, with and without a byte order mark', async () => {
    const content = Buffer.from(plainHeader + row('a'), 'utf16le');
    await writeFeed(root, 'feed', plainManifest, { 'deals.csv': Buffer.concat([Buffer.from([0xff, 0xfe]), content]) });
    await expectError('delivery_unreadable');
    await writeFeed(root, 'feed', plainManifest, { 'deals.csv': content });
    await expectError('delivery_unreadable');
  });

  it('rejects a row over 256 kB in each format and reads the rows after it', async () => {
    const long = 'x'.repeat(256 * 1024);
    const wide = JSON.stringify({ id: 'wide', street: long });
    await writeFeed(root, 'csv', plainManifest, {
      'deals.csv': `${plainHeader}${row('a')}wide,${long},,,,,\n${row('b')}`,
    });
    assert.deepEqual(await readOutcome(root), { taken: ['a', 'b'], refused: ['row_too_large deals.csv:2'] });
    await remove();
    await writeFeed(root, 'ndjson', ndjson, { 'deals.ndjson': `${jsonRow('a')}\n${wide}\n${jsonRow('b')}\n` });
    assert.deepEqual(await readOutcome(root), { taken: ['a', 'b'], refused: ['row_too_large deals.ndjson:2'] });
    await remove();
    await writeFeed(root, 'json', json, { 'deals.json': `[${jsonRow('a')},${wide},${jsonRow('b')}]` });
    assert.deepEqual(await readOutcome(root), { taken: ['a', 'b'], refused: ['row_too_large deals.json:2'] });
  });

  it('skips a row of 100 MB without keeping it in memory', async () => {
    const directory = await writeFeed(root, 'feed', plainManifest, {});
    const file = await open(join(directory, 'deals.csv'), 'w');
    await file.write(`${plainHeader}${row('a')}huge,"`);
    const megabyte = Buffer.alloc(1024 * 1024, 'y');
    for (let count = 0; count < 100; count += 1) await file.write(megabyte);
    await file.write(`",,,,,\n${row('b')}`);
    await file.close();
    await writeFile(join(directory, 'deals.csv.done'), '');
    const before = process.memoryUsage();
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().arrayBuffers)), 5);
    const outcome = await readOutcome(root).finally(() => clearInterval(watch));
    assert.deepEqual(outcome, { taken: ['a', 'b'], refused: ['row_too_large deals.csv:2'] });
    assert.ok(peak - before.arrayBuffers < 64 * 1024 * 1024, `buffers grew by ${peak - before.arrayBuffers} bytes`);
  });

  it('does not read a recently written file until its .done marker exists', async () => {
    const directory = await writeFeed(root, 'feed', plainManifest, { 'deals.csv': plainHeader + row('a') });
    const path = join(directory, 'deals.csv');
    await utimes(path, testNow, testNow);
    await expectError('delivery_incomplete');
    await writeFile(`${path}.done`, '');
    await utimes(`${path}.done`, new Date('2026-11-19'), new Date('2026-11-19'));
    await expectError('delivery_incomplete');
    await utimes(`${path}.done`, testNow, testNow);
    assert.deepEqual((await readOutcome(root)).taken, ['a']);
  });

  it('does not read a delivery while a part of it is still being written', async () => {
    const manifest = { ...plainManifest, file: 'deals-*.csv' };
    await writeFeed(root, 'feed', manifest, { 'deals-1.csv': plainHeader + row('a'), 'deals-2.csv.part': plainHeader });
    await expectError('delivery_incomplete');
    await writeFeed(root, 'feed', manifest, { 'deals-2.csv': plainHeader + row('b') });
    assert.deepEqual((await readOutcome(root)).taken, ['a', 'b']);
  });

  for (const [what, manifest, file, content] of [
    ['JSON array without its bracket', json, 'deals.json', `[${jsonRow('a')},`],
    ['empty file', plainManifest, 'deals.csv', ''],
  ] as const) {
    it(`reads nothing of an ${what}`.replace('an J', 'a J'), async () => {
      await writeFeed(root, 'feed', manifest, { [file]: content });
      await expectError('delivery_incomplete');
    });
  }

  it('fails on a truncated JSON array whose last character is a bracket', async () => {
    await writeFeed(root, 'feed', json, { 'deals.json': `[${jsonRow('a')},{"id":"b","list":[1]` });
    await expectError('delivery_incomplete');
  });

  it('fails on a JSON file that is no array, or has text after it', async () => {
    await writeFeed(root, 'feed', json, { 'deals.json': `{"rows":[]}\n[]` });
    await expectError('delivery_unreadable');
    await writeFeed(root, 'feed', json, { 'deals.json': `[${jsonRow('a')}] [${jsonRow('b')}]` });
    await expectError('delivery_unreadable');
  });

  it('accepts an empty array and a header without rows as a complete, empty delivery', async () => {
    await writeFeed(root, 'feed', json, { 'deals.json': '[ ]' });
    assert.deepEqual(await readOutcome(root), { taken: [], refused: [] });
    await remove();
    await writeFeed(root, 'feed', plainManifest, { 'deals.csv': plainHeader });
    assert.deepEqual(await readOutcome(root), { taken: [], refused: [] });
  });

  it('fails when the delivery changes between two pages', async () => {
    const directory = await writeFeed(root, 'feed', plainManifest, {
      'deals.csv': plainHeader + numbered(300).map(row).join(''),
    });
    const pages = (await loadOnly(root)).readPages()[Symbol.asyncIterator]();
    await pages.next();
    await appendFile(join(directory, 'deals.csv'), row('late'));
    await utimes(join(directory, 'deals.csv'), new Date('2026-11-20T07:00:00Z'), new Date('2026-11-20T07:00:00Z'));
    await assert.rejects(pages.next(), /changed while it was being read/);
  });

  it('fails when a mapped column is missing from the header, or is in it twice', async () => {
    await writeFeed(root, 'feed', plainManifest, {
      'deals.csv': `${plainHeader.replace('price', 'asking')}${row('a')}`,
    });
    await expectError('delivery_unreadable');
    await writeFeed(root, 'feed', plainManifest, {
      'deals.csv': `id,id,street,city,state,zip,price,units\na,${row('a')}`,
    });
    await expectError('delivery_unreadable');
  });

  it('fails when there is no file to read', async () => {
    await writeFeed(root, 'feed', plainManifest, {});
    await expectError('delivery_missing');
  });
});
