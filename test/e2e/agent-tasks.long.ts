import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { privateKeyToAccount } from 'viem/accounts';
import {
  createDealsClient,
  type Auction,
  type Deal,
  type DealsClient,
  type Report,
  type Signal,
} from '../../src/client/entry.js';
import { buyer } from '../../src/demo/chain/accounts.js';
import { findProjectFile } from '../../src/project-file.js';
import { recordsIn, type Arguments, type Content } from '../transport/mcp/agent.js';
import { startBridge, startDemonstration } from './agent-programs.js';

/** What models read: four bytes a token. */
const bytesPerToken = 4;
const mostTokens = 25_000;
const mostPaidCalls = 2;

const dayMs = 86_400_000;
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const idsOf = (records: readonly object[]): unknown[] => records.map((record) => Reflect.get(record, 'id') as unknown);
const sorted = (values: readonly unknown[]): string[] => values.map(String).toSorted();

/** Miles between two points, on a sphere of 3,958.8 miles. */
function milesBetween([lat, lon]: readonly [number, number], [otherLat, otherLon]: readonly [number, number]): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const [a, b] = [radians(lat), radians(otherLat)];
  const chord = Math.sin((a - b) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(radians(lon - otherLon) / 2) ** 2;
  return 2 * 3_958.8 * Math.asin(Math.sqrt(chord));
}

describe('the tasks of an agent, by the tools alone, through the bridge', function () {
  let directory: string;
  let server: ChildProcess;
  let agent: Client;
  let plain: DealsClient;
  const all = { deals: [] as Deal[], signals: [] as Signal[], auctions: [] as Auction[] };
  /** Tokens of the introduction and of each task. */
  const spent: number[] = [];
  let tokens = 0;
  let paidCalls = 0;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'agent-tasks-'));
    const started = await startDemonstration(directory);
    ({ server } = started);
    plain = createDealsClient({ baseUrl: started.url, account: privateKeyToAccount(buyer.privateKey) });
    for await (const deal of plain.deals.all()) all.deals.push(deal);
    for await (const signal of plain.signals.all()) all.signals.push(signal);
    for await (const auction of plain.auctions.all()) all.auctions.push(auction);
    agent = await startBridge(started.url);
    const introduction = JSON.stringify(await agent.listTools()) + (agent.getInstructions() ?? '');
    spent.push(introduction.length / bytesPerToken);
  });
  after(async () => {
    await agent?.close();
    const ended = server && once(server, 'close');
    server?.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  });

  async function ask(name: string, given: Arguments): Promise<Content> {
    const { content, structuredContent } = await agent.callTool({ name, arguments: given });
    tokens += Buffer.byteLength(JSON.stringify({ content, structuredContent })) / bytesPerToken;
    const [text] = content;
    assert.ok(text?.type === 'text');
    const told = JSON.parse(text.text) as Content;
    if (told.receipt) paidCalls += 1;
    return told;
  }

  async function call(name: string, given: Arguments = {}): Promise<Content> {
    const told = await ask(name, given);
    assert.equal(told.reason, undefined, JSON.stringify(told));
    return told;
  }

  /** A task, the most tokens that its results may take, and what an agent does. */
  function task(title: string, most: number, perform: () => Promise<void>): void {
    it(`${title} (${most} tokens)`, async () => {
      [tokens, paidCalls] = [0, 0];
      await perform();
      assert.ok(tokens <= most, `${tokens} tokens`);
      assert.ok(paidCalls <= mostPaidCalls, `${paidCalls} paid calls`);
      spent.push(tokens);
    });
  }

  const deal = (holds: (deal: Deal) => boolean): Deal[] => all.deals.filter(holds);

  task('1: the best duplex in Ohio under $150,000, and its report, within $2', 2_300, async () => {
    const wanted = { state: 'OH', property_type: 'duplex', max_price: 150_000, limit: 1 };
    const [best] = recordsIn(await call('basic_deals', wanted));
    const [right] = deal(({ state, property_type: type, list_price: price }) => {
      return state === 'OH' && type === 'duplex' && price !== null && Number(price) <= 150_000;
    });
    assert.ok(right && best?.['id'] === right.id);
    const report = await call('report', { id: right.id });
    const told = Reflect.get(report, 'deal') as Deal;
    assert.deepEqual(
      [told.list_price, told.dscr, told.rental_status],
      [right.list_price, right.dscr, right.rental_status],
    );
    assert.ok('offer_range' in report && 'underwriting' in report);
  });

  task('2: the sheriff sales of next week, and which counties are read', 1_900, async () => {
    const today = new Date();
    const monday = today.getTime() + ((8 - today.getUTCDay()) % 7 || 7) * dayMs;
    const [from, to] = [dateOf(monday), dateOf(monday + 6 * dayMs)];
    const sales = recordsIn(await call('auctions', { from_date: from, to_date: to }));
    const right = all.auctions.filter(({ sale_date: date }) => date !== null && date >= from && date <= to);
    assert.deepEqual(idsOf(sales), idsOf(right));
    const counties = recordsIn(await call('coverage', { feed: 'auctions' }));
    const { data } = await plain.coverage({ feed: 'auctions' });
    assert.deepEqual(
      counties.map(({ county }) => county),
      data.counties.map(({ county }) => county),
    );
  });

  task('3: what is known of an address', 1_200, async () => {
    const right = all.deals.find(({ rationales, motivation_signals: found }) => rationales && found.length > 1);
    const { id, address, city, state, zip } = right ?? assert.fail('no deal has signals');
    const query = `${address}, ${city}, ${state} ${zip}`;
    const { matches } = (await call('lookup', { address: query })) as { matches?: Content };
    const known = recordsIn(matches ?? {});
    const { data } = await plain.lookup({ address: query });
    const told = known.map(({ entity, record }) => `${String(entity)} ${String(Reflect.get(record as object, 'id'))}`);
    assert.deepEqual(
      told,
      data.matches.map((each) => `${each.entity} ${each.id}`),
    );
    assert.ok(told.includes(`deal ${id}`));
  });

  task('4: tax debts over $20,000 with a street address, in Cuyahoga', 1_200, async () => {
    const given = { county: 'Cuyahoga', signal_type: 'tax_delinquent', min_amount: 20_000, has_address: true };
    const right = all.signals.filter(({ county, amount, has_address: hasAddress, signal_type: type }) => {
      return county?.includes('Cuyahoga') && type === 'tax_delinquent' && hasAddress && Number(amount) >= 20_000;
    });
    const { total, rows = [], ...debts } = await call('signals', given);
    assert.equal(total, right.length);
    assert.deepEqual(idsOf(recordsIn({ ...debts, rows })), idsOf(right.slice(0, rows.length)));
    assert.ok(rows.length === Math.min(25, right.length) && rows.length > 0);
  });

  /** Sorts and new filters leave out what is doubted, so only a doubted record may be missing from an answer. */
  function assertAllSure(found: readonly unknown[], right: readonly Deal[]): void {
    const known = right.filter(({ id }) => found.includes(id));
    assert.deepEqual(sorted(found), sorted(idsOf(known)));
    for (const { id, data_quality: doubts } of right) assert.ok(found.includes(id) || doubts.length > 0, id);
  }

  task('5: the five cheapest per unit in Texas', 600, async () => {
    const cheapest = recordsIn(await call('basic_deals', { state: 'TX', sort: 'price_per_unit', limit: 5 }));
    const perUnit = (each: { list_price?: unknown; units?: unknown }) => Number(each.list_price) / Number(each.units);
    const found = cheapest.map(perUnit);
    assert.deepEqual([found.length, found], [5, found.toSorted((a, b) => a - b)]);
    const right = deal(({ state, list_price: price, units }) => state === 'TX' && price !== null && units !== null);
    const last = found.at(-1) ?? 0;
    assertAllSure(
      idsOf(cheapest),
      right.filter((each) => perUnit(each) <= last),
    );
  });

  task('6: all deals with a DSCR of 1.5 or more: how many, and the best ten', 1_200, async () => {
    const { total = 0, ...best } = await call('deals', { min_dscr: 1.5, limit: 10 });
    const right = deal(({ dscr, dscr_status: status }) => status === 'computed' && Number(dscr) >= 1.5);
    const sure = right.filter(({ data_quality: doubts }) => doubts.length === 0);
    assert.ok(total >= sure.length && total <= right.length, String(total));
    const found = idsOf(recordsIn(best));
    const last = right.findIndex(({ id }) => id === found.at(-1));
    assert.equal(found.length, 10);
    assertAllSure(found, right.slice(0, last + 1));
  });

  task('7: the deals in ZIP 43609, and in 43606', 800, async () => {
    for (const wanted of ['43609', '43606']) {
      const right = deal(({ zip }) => zip === wanted);
      if (right.length > 0) assert.deepEqual(idsOf(recordsIn(await call('deals', { zip: wanted }))), idsOf(right));
      else assert.equal((await ask('deals', { zip: wanted })).reason, 'no_records_match');
    }
    assert.ok(paidCalls > 0);
  });

  task('8: the deals within 10 miles of 41.65,-83.54', 1_300, async () => {
    const text = readFileSync(findProjectFile('src/places/data/zip-centroids.csv'), 'utf8');
    const places = new Map(
      text.split('\n').map((line) => {
        const [zip = '', lat, lon] = line.split(',');
        return [zip, [Number(lat) / 10_000, Number(lon) / 10_000] as const];
      }),
    );
    const right = deal(({ zip }) => {
      const place = places.get(zip ?? '');
      return place !== undefined && milesBetween(place, [41.65, -83.54]) <= 10;
    });
    const near = await call('deals', { near: '41.65,-83.54', radius: 10 });
    assert.ok(right.length > 0 && near.total === near.rows?.length);
    assertAllSure(idsOf(recordsIn(near)), right);
  });

  task('9: the price cuts in Ohio this week, and again an hour later, free when quiet', 1_500, async () => {
    const asked = { state: 'OH', event: 'repriced' };
    const since = new Date(Date.now() - 7 * dayMs).toISOString();
    const told = (await call('events', { ...asked, since })) as Content & { readonly next_cursor?: string };
    const { data } = await plain.events({ state: ['OH'], event: ['repriced'], since });
    const isCut = (each: { readonly change_pct?: unknown }) => Number(each.change_pct) < 0;
    const shown = recordsIn(told);
    assert.deepEqual(idsOf(shown.filter(isCut)), idsOf(data.events.slice(0, shown.length).filter(isCut)));
    assert.ok(shown.some(isCut) && (told.next_page !== undefined || shown.length === data.events.length));
    const again = await ask('events', { ...asked, cursor: told.next_cursor ?? assert.fail('there is no cursor') });
    assert.deepEqual([again.reason, again.billed, paidCalls], ['no_events', false, 1]);
  });

  task('10: how many Hot deals over 8 units in Indiana, before paying anything', 300, async () => {
    const filters = { state: 'IN', status: 'Hot', min_units: 9 };
    const { matches } = (await call('count', { of: 'deals', filters })) as {
      matches?: { readonly at_least: number; readonly at_most: number };
    };
    const right = deal(({ state, rental_status: status, units }) => {
      return state === 'IN' && status === 'Hot' && units !== null && units >= 9;
    });
    assert.ok(matches && matches.at_least <= right.length && right.length <= matches.at_most);
    assert.equal(paidCalls, 0);
  });

  task('11: which of five deals deserve a report, and the best two compared', 4_500, async () => {
    const isUnderwritten = (each: Deal) => each.cap_rate_underwritten !== null;
    const right = deal(isUnderwritten).slice(0, 2);
    const deserving: string[] = [];
    for (const { id } of [...deal((each) => !isUnderwritten(each)).slice(0, 3), ...right]) {
      const sections = recordsIn(await call('report_preview', { id }));
      const isThere = ({ name, state }: Arguments) =>
        !['hud', 'offer_range'].includes(String(name)) || state === 'full';
      if (sections.length > 0 && sections.every(isThere)) deserving.push(id);
    }
    assert.deepEqual(sorted(deserving), sorted(idsOf(right)));
    for (const { id, dscr, list_price: price } of right) {
      const { offer_range: offer, deal: record } = (await call('report', { id })) as Partial<Report>;
      assert.ok(offer && record?.dscr === dscr && record?.list_price === price);
    }
  });

  task('12: which counties are covered, and whether there are sheriff sales in Lucas County', 900, async () => {
    const covered = recordsIn(await call('coverage'));
    const { data } = await plain.coverage();
    const feeds = (each: object | undefined) => Object.keys(each ?? {});
    assert.deepEqual(
      covered.map((each) => [each['state'], each['county'], feeds(each['feeds'] as object)]),
      data.counties.map((each) => [each.state, each.county, feeds(each.feeds)]),
    );
    const lucas = covered.find(({ state, county }) => state === 'OH' && county === 'Lucas');
    assert.ok(lucas && !feeds(lucas['feeds'] as object).includes('auctions'));
    assert.equal(paidCalls, 0);
  });

  it(`take ${mostTokens} tokens at most, with the introduction of the tools`, () => {
    const sum = spent.reduce((a, b) => a + b, 0);
    assert.ok(sum <= mostTokens, `${sum} tokens`);
  });
});
