import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { createHudUserSource } from '../../../../src/sources/formats/hud-user.js';
import { accessTo } from '../../access.js';
import { main, renderSheet, renderWorkbook } from '../../read/render-workbook.js';
import { readSource } from '../../read-source.js';
import { rejects } from '../../upstream/mock-server.js';

describe("createHudUserSource, from HUD's workbook", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hud-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const read = async (content: Uint8Array, knownEtag?: string) => {
    const file = join(directory, 'figures.xlsx');
    await writeFile(file, content);
    const { name, licence, now } = accessTo('http://unused');
    return readSource(() => createHudUserSource({ name, licence, now, file, fiscalYear: 2026 }), { knownEtag });
  };
  const byZip = ['ZIP\nCode', 'HUD Area Code', 'SAFMR\n0BR', 'SAFMR\n1BR', 'SAFMR\n2BR', 'SAFMR\n3BR', 'SAFMR\n4BR'];
  const rents = [700, 800, 1000, 1300, 1380];
  const areasOf = ({ taken }: Awaited<ReturnType<typeof read>>) =>
    taken.map(({ areaKind, areaCode, fiscalYear, rents }) => [areaKind, areaCode, fiscalYear, rents]);

  it('reads Small Area FMRs by ZIP from its first sheet, and both figures of a ZIP in two areas', async () => {
    const outcome = await read(
      renderWorkbook([
        [
          byZip,
          ['44105', 'METRO <1> & 2', ...rents],
          ['44060', 'METRO1', 700, 800, 1500, 1300, 1380],
          ['44060', 'METRO2', 700, 800, 1200, 1300, 1380],
          ['', '', '', '', '', '', ''],
          ['44107', 'METRO1', 700, 800, 'N/A', 1300, 1380],
        ],
        [['Notes'], ['Nothing of this is read.']],
      ]),
    );
    assert.deepEqual(areasOf(outcome), [
      ['zip', '44105', 2026, rents],
      ['zip', '44060', 2026, [700, 800, 1500, 1300, 1380]],
      ['zip', '44060', 2026, [700, 800, 1200, 1300, 1380]],
    ]);
    assert.deepEqual(
      outcome.refused.map(({ reject, key }) => [reject, key]),
      [['invalid_value', 'zip:44107:2026:METRO1']],
    );
  });

  it('reads ZIP codes that are numbers, or texts that lost their leading zeros', async () => {
    const codes = [1001, '2108', 501, '00601', 44105, '12'];
    const { taken, refused } = await read(renderWorkbook([[byZip, ...codes.map((code) => [code, 'M', ...rents])]]));
    assert.deepEqual(
      taken.map(({ areaCode }) => areaCode),
      ['01001', '02108', '00501', '00601', '44105'],
    );
    assert.deepEqual(
      refused.map(({ reject }) => reject),
      ['missing_key'],
    );
  });

  it('reads FMRs by county for any order of columns, also without a leading zero, and of a county by its towns', async () => {
    const outcome = await read(
      renderWorkbook([
        [
          ['fmr_4', 'fmr_3', 'fmr_2', 'fmr_1', 'fmr_0', 'countyname', 'fips'],
          [1760, 1646, 1279, 1058, 933, 'Cuyahoga County', '3903599999'],
          [1760, 1646, 1279, 1058, 933, 'Autauga County', 100199999],
          [1760, 1646, 1279, 1058, 933, 'Hartford County', '0900302060'],
        ],
      ]),
    );
    assert.deepEqual(areasOf(outcome), [
      ['county', '39035', 2026, [933, 1058, 1279, 1646, 1760]],
      ['county', '01001', 2026, [933, 1058, 1279, 1646, 1760]],
      ['county', '09003', 2026, [933, 1058, 1279, 1646, 1760]],
    ]);
    assert.deepEqual(outcome.refused, []);
  });

  it('skips a file that it has already read, and reads all of another one', async () => {
    const workbook = (code: string) => renderWorkbook([[byZip, [code, 'M', ...rents]]]);
    const knownEtag = (await read(workbook('44105'))).pages[0]?.etag;
    assert.deepEqual((await read(workbook('44105'), knownEtag)).taken, []);
    assert.equal((await read(workbook('44107'), knownEtag)).taken.length, 1);
  });

  it('fails the run when a column was renamed', async () => {
    const renamed = byZip.map((header) => header.replace('SAFMR\n2BR', 'Rent of two'));
    await rejects(read(renderWorkbook([[renamed, ['44105', 'M', ...rents]]])), 'delivery_unreadable', /lacks columns/);
  });

  it('fails the run when the file is truncated, is another archive, or declares less than it contains', async () => {
    const whole = renderWorkbook([[byZip, ['44105', 'M', ...rents]]]);
    const other = zipSync({ 'figures.csv': strToU8('zip') });
    for (const content of [whole.slice(0, -40), other]) {
      await rejects(read(content), 'delivery_unreadable', /not a readable workbook/);
    }
    const sheet = strToU8(renderSheet([byZip, ...Array.from({ length: 500 }, () => ['44105', 'M', ...rents])], []));
    const lying = Buffer.from(renderWorkbook([[byZip]], { 'xl/worksheets/sheet1.xml': sheet }));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(sheet.length);
    for (let at = lying.indexOf(size); at !== -1; at = lying.indexOf(size)) lying.writeUInt32LE(200, at);
    await rejects(read(lying), 'delivery_unreadable', /not a readable workbook/);
  });

  it('fails the run when a sheet exceeds 64 MiB unpacked, or has a cell far out', async () => {
    const blanks = new Uint8Array(64 * 1024 ** 2 + 1).fill(32);
    const large = renderWorkbook([[byZip]], { 'xl/worksheets/sheet1.xml': blanks });
    assert.ok(large.length < 1024 ** 2);
    await rejects(read(large), 'upstream_too_large', /64 MiB/);
    const cell = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';
    const stray = `<worksheet ${main}><sheetData>${cell}</sheetData></worksheet>`;
    const wide = renderWorkbook([[byZip]], { 'xl/worksheets/sheet1.xml': strToU8(stray) });
    await rejects(read(wide), 'upstream_too_large', /far from the others/);
  });
});
