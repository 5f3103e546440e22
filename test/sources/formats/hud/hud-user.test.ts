import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHudUserSource } from '../../../../src/sources/formats/hud-user.js';
import { accessTo } from '../../access.js';
import { readSource } from '../../read-source.js';
import { createTestClock, rejects, type MockServer, startMockServer } from '../../upstream/mock-server.js';

const figures = (twoBedroom: number) => ({
  Efficiency: twoBedroom - 300,
  'One-Bedroom': twoBedroom - 200,
  'Two-Bedroom': twoBedroom,
  'Three-Bedroom': twoBedroom + 300,
  'Four-Bedroom': twoBedroom + 400,
});
const rentsOf = (twoBedroom: number) => [-300, -200, 0, 300, 400].map((difference) => twoBedroom + difference);
const metro = (name: string, level: number, zips: Record<string, number>) => ({
  area_name: name,
  smallarea_status: '1',
  basicdata: [
    { zip_code: 'MSA level', ...figures(level) },
    ...Object.entries(zips).map(([zip_code, rent]) => ({ zip_code, ...figures(rent) })),
  ],
});
const county = (name: string, level: number) => ({ area_name: name, smallarea_status: '0', basicdata: figures(level) });

/** A mock server for HUD USER's API. `data` by entity; it answers with the requested year. */
async function startHud(data: Record<string, object>) {
  const state = { pending: 0, year: undefined as string | undefined };
  const mockServer = await startMockServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://hud');
    if (request.headers.authorization !== 'Bearer the-token') return void response.writeHead(401).end();
    if (state.pending > 0) {
      state.pending -= 1;
      return void response.writeHead(202).end();
    }
    response.setHeader('content-type', 'application/json');
    const [, kind, id = ''] = /\/(listCounties|data)\/(\w+)$/.exec(url.pathname) ?? [];
    if (kind === 'listCounties') {
      const entities = Object.keys(data).map((fips_code) => ({
        state_code: id,
        fips_code,
        county_name: 'Example',
        category: 'County',
      }));
      return void response.end(JSON.stringify(entities));
    }
    const area = data[id] as { basicdata: object } | undefined;
    if (area === undefined) return void response.writeHead(404).end('{"error":"none"}');
    const year = state.year ?? url.searchParams.get('year');
    const isList = Array.isArray(area.basicdata);
    const basicdata = isList ? area.basicdata : { ...area.basicdata, year };
    response.end(JSON.stringify({ data: { ...area, basicdata, ...(isList ? { year } : {}) } }));
  });
  return { ...mockServer, state };
}

describe('createHudUserSource', () => {
  describe('from the API', () => {
    let mockServer: MockServer | undefined;
    afterEach(() => mockServer?.close());

    async function start(data: Record<string, object>) {
      const hud = await startHud(data);
      mockServer = hud;
      return hud;
    }
    const cuyahoga = { state: 'OH', countyFips: '39035' };
    const lake = { state: 'OH', countyFips: '39085' };
    const lucas = { state: 'OH', countyFips: '39095' };
    const source =
      (url: string, counties = [cuyahoga], clock = createTestClock()) =>
      () =>
        createHudUserSource({ ...accessTo(`${url}/hudapi/public/fmr`, {}, clock), secret: 'the-token', counties });

    it('reads a list where rents are set by ZIP and an object elsewhere', async () => {
      const { url } = await start({
        3903599999: metro('Cleveland, OH HUD Metro FMR Area', 1279, { 44105: 1000 }),
        3909599999: county('Toledo, OH MSA', 1076),
      });
      const { taken } = await readSource(source(url, [cuyahoga, lucas]));
      assert.deepEqual(taken, [
        { areaKind: 'county', areaCode: '39035', fiscalYear: 2027, area: '', rents: rentsOf(1279) },
        { areaKind: 'zip', areaCode: '44105', fiscalYear: 2027, area: '39035', rents: rentsOf(1000) },
        { areaKind: 'county', areaCode: '39095', fiscalYear: 2027, area: '', rents: rentsOf(1076) },
      ]);
    });

    it('requests the fiscal year in force and keeps the returned one', async () => {
      const { url, state, seen } = await start({ 3903599999: county('Cleveland', 1279) });
      const before = createTestClock('2026-09-30T23:59:59.000Z');
      await readSource(source(url, [cuyahoga], before));
      assert.match(seen.at(-1) ?? '', /year=2026$/);
      state.year = '2025';
      const { taken } = await readSource(source(url));
      assert.match(seen.at(-1) ?? '', /year=2027$/);
      assert.equal(taken[0]?.fiscalYear, 2025);
    });

    it('identifies an area by code and year when HUD renames it', async () => {
      const keysOf = async (name: string) => {
        const { url } = await start({ 3903599999: metro(name, 1279, { 44105: 1000 }) });
        const { pages } = await readSource(source(url));
        await mockServer?.close();
        return pages[0]?.rows.map(({ key }) => key);
      };
      assert.deepEqual(await keysOf('Cleveland, OH'), await keysOf('Cleveland-Elyria, OH HUD Metro FMR Area'));
    });

    it('accepts a ZIP in any notation, and never uses figures of an unreadable ZIP for the county', async () => {
      const { basicdata, ...area } = metro('Cleveland', 1279, { '44105-1234': 1000 });
      const odd = [44106, '4410', 1001, '', 'all', {}].map((zip_code) => ({ zip_code, ...figures(900) }));
      const { url } = await start({ 3903599999: { ...area, basicdata: [...basicdata, ...odd] } });
      const { taken, refused } = await readSource(source(url));
      assert.deepEqual(
        taken.map(({ areaKind, areaCode, rents }) => [areaKind, areaCode, rents[2]]),
        [
          ['county', '39035', 1279],
          ['zip', '44105', 1000],
          ['zip', '44106', 900],
        ],
      );
      assert.deepEqual(
        refused.map(({ reject, key }) => [reject, key]),
        [3, 4, 5, 6, 7].map((index) => ['missing_key', `3903599999:${index}`]),
      );
    });

    it('takes the figures of a ZIP in two counties from both', async () => {
      const { url } = await start({
        3903599999: metro('Cleveland', 1279, { 44105: 1000, 44060: 1500 }),
        3908599999: metro('Lake', 1400, { 44060: 1300 }),
      });
      for (const counties of [
        [cuyahoga, lake],
        [lake, cuyahoga],
      ]) {
        const { taken } = await readSource(source(url, counties));
        const zips = taken
          .filter(({ areaKind }) => areaKind === 'zip')
          .map(({ areaCode, area, rents }) => [areaCode, area, rents[2]]);
        assert.deepEqual(zips.sort(), [
          ['44060', '39035', 1500],
          ['44060', '39085', 1300],
          ['44105', '39035', 1000],
        ]);
      }
    });

    it('retries after a 202 with an empty body', async () => {
      const { url, state } = await start({ 3903599999: county('Cleveland', 1279) });
      state.pending = 3;
      assert.equal((await readSource(source(url))).taken.length, 1);
      state.pending = 100;
      await rejects(readSource(source(url)), 'upstream_not_ready');
    });

    it('reads every town of a county in New England, and a planning region', async () => {
      const { url } = await start({
        2502507000: metro('Boston', 2941, { '02108': 3600 }),
        2502556585: metro('Boston', 2900, { '02108': 3500 }),
        2502100000: county('Norfolk', 2600),
        '0911008420': county('Hartford', 1865),
      });
      const suffolk = { state: 'MA', countyFips: '25025' };
      const { taken } = await readSource(source(url, [suffolk, { state: 'CT', countyFips: '09110' }]));
      assert.deepEqual(
        taken.map(({ areaKind, areaCode, area, rents }) => [areaKind, areaCode, area, rents[2]]),
        [
          ['county', '25025', '2502507000', 2941],
          ['zip', '02108', '25025', 3500],
          ['county', '25025', '2502556585', 2900],
          ['county', '09110', '0911008420', 1865],
        ],
      );
    });

    it('names a county that HUD does not know, and reads the others', async () => {
      const { url } = await start({ 3909599999: county('Toledo, OH MSA', 1076) });
      const { taken, refused } = await readSource(source(url, [cuyahoga, lucas]));
      assert.deepEqual(
        taken.map(({ areaCode }) => areaCode),
        ['39095'],
      );
      assert.deepEqual(
        refused.map(({ reject, key, detail }) => [reject, key, detail]),
        [['missing_key', '39035', 'HUD lists no county 39035: correct the configuration.']],
      );
    });

    it('fails the run with a wrong token', async () => {
      const { url } = await start({});
      const wrong = () => createHudUserSource({ ...accessTo(url), secret: 'wrong', counties: [cuyahoga] });
      await rejects(readSource(wrong), 'upstream_refused', /401/);
    });

    it('rejects an area whose figures are not five rents', async () => {
      const { url } = await start({ 3903599999: { basicdata: { ...figures(1279), 'Two-Bedroom': null } } });
      assert.deepEqual(
        (await readSource(source(url))).refused.map(({ reject }) => reject),
        ['invalid_value'],
      );
    });
  });

  describe('from a yearly file', () => {
    let directory: string;
    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), 'hud-'));
    });
    afterEach(() => rm(directory, { recursive: true }));

    const read = async (content: string) => {
      const file = join(directory, 'figures.csv');
      await writeFile(file, content);
      const { name, licence, now } = accessTo('http://unused');
      return readSource(() => createHudUserSource({ name, licence, now, file, fiscalYear: 2026 }));
    };

    it('reads Small Area FMRs by ZIP from multi-line headers, and both figures of a ZIP in two areas', async () => {
      const header =
        '"ZIP\nCode","HUD Area Code","SAFMR\n0BR","SAFMR\n0BR -\n90%","SAFMR\n1BR","SAFMR\n2BR","SAFMR\n3BR","SAFMR\n4BR"';
      const { taken } = await read(
        `\ufeff${header}\n44105,METRO1,"$700",630,800,"$1,000",1300,1380\n44060,METRO1,700,630,800,1500,1300,1380\n44060,METRO2,700,630,800,1200,1300,1380\n`,
      );
      assert.deepEqual(
        taken.map(({ areaKind, areaCode, fiscalYear, rents }) => [areaKind, areaCode, fiscalYear, rents]),
        [
          ['zip', '44105', 2026, [700, 800, 1000, 1300, 1380]],
          ['zip', '44060', 2026, [700, 800, 1500, 1300, 1380]],
          ['zip', '44060', 2026, [700, 800, 1200, 1300, 1380]],
        ],
      );
    });

    it('reads FMRs by county for any order of columns, and the lowest of its towns', async () => {
      const { taken } = await read(
        'fmr_4,fmr_3,fmr_2,fmr_1,fmr_0,countyname,fips\n1760,1646,1279,1058,933,Cuyahoga County,3903599999\n2000,1900,1500,1200,999,Essex County,2500903600\n2000,1900,1400,1200,999,Essex County,2500926150\n',
      );
      const common = { areaKind: 'county', fiscalYear: 2026, area: '' };
      assert.deepEqual(taken, [
        { ...common, areaCode: '39035', rents: [933, 1058, 1279, 1646, 1760] },
        { ...common, areaCode: '25009', rents: [999, 1200, 1400, 1900, 2000] },
      ]);
    });

    it('has one etag per content', async () => {
      const content = 'zip,fmr_0,fmr_1,fmr_2,fmr_3,fmr_4\n44105,700,800,1000,1300,1380\n';
      const etagOf = async (text: string) => (await read(text)).pages[0]?.etag;
      assert.equal(await etagOf(content), await etagOf(content));
      assert.notEqual(await etagOf(content), await etagOf(content.replace('1380', '1390')));
    });

    it('fails the run without the file, without the columns, and with neither CSV nor a workbook', async () => {
      await rejects(read('zip,rent\n44105,1000\n'), 'delivery_unreadable', /lacks columns/);
      await rejects(read('zip,"open\n'), 'delivery_unreadable', /neither a workbook/);
      const { name, licence, now } = accessTo('http://unused');
      const missing = () =>
        createHudUserSource({ name, licence, now, file: join(directory, 'none.csv'), fiscalYear: 2026 });
      await rejects(readSource(missing), 'delivery_missing');
    });
  });
});
