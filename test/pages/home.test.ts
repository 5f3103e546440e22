import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { listSources } from '../../generated/sdk.gen.js';
import { getMeta, listDeals } from '../support/full-deals.js';
import type { Deal, Meta, Sources } from '../../generated/types.gen.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { buyer } from '../../src/demo/chain/accounts.js';
import { metros } from '../../src/places/metros/metros.js';
import { homePage } from '../../src/pages/home/home-page.js';
import { findProjectFile } from '../../src/project-file.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { fillAsBefore, startTestApp, type TestApp } from '../support/app.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { ask } from '../support/raw-http.js';
import { attributeOf, readHtml, textOf } from './read-html.js';

const contract = loadContract();

describe('the landing page', () => {
  let app: SharedApp;
  let meta: Meta;
  let sources: Sources;
  let deals: readonly Deal[];
  let elements: ReturnType<typeof readHtml>;

  before(async () => {
    app = await shareApp();
    const client = createApiClient(app.url);
    meta = (await getMeta({ client })).data ?? assert.fail('no metadata');
    sources = (await listSources({ client })).data ?? assert.fail('no sources');
    deals = (await purchase((headers) => listDeals({ client, headers }))).data ?? assert.fail('no deals');
    elements = readHtml(await read(app));
  });

  const read = async ({ url }: Pick<TestApp, 'url'>): Promise<string> => {
    const { status, body, headers } = await ask(url, '/');
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/html; charset=utf-8$/);
    return body.toString();
  };
  const withClass = (name: string) =>
    elements.filter((element) => attributeOf(element, 'class')?.split(' ').includes(name));
  const rowsOf = (table: string) => {
    const [found] = withClass(table);
    const rows = elements.filter(({ tagName }) => tagName === 'tr');
    return rows.filter(
      (row) => row.parentNode && 'parentNode' in row.parentNode && row.parentNode.parentNode === found,
    );
  };

  it('shows the figures of /api/meta, the freshness of /api/sources and the prices of the contract', () => {
    const figures = withClass('figures').map(textOf).join('');
    for (const count of [meta.coverage.active_records, meta.coverage.hot, meta.signals_feed.coverage.total_signals]) {
      assert.ok(figures.includes(String(count)), `${count}`);
    }
    const prices = rowsOf('prices').map(textOf);
    for (const { path, summary, priceUsd } of contract.operations.filter((each) => each.priceUsd !== undefined)) {
      assert.ok(
        prices.some((row) => row.endsWith(`${path}${summary}$${priceUsd}`)),
        path,
      );
    }
    const standings = rowsOf('sources').map(textOf);
    assert.ok(sources.sources.length > 0);
    for (const { name, status } of sources.sources) {
      assert.ok(
        standings.some((row) => row.trim().startsWith(name) && row.trim().endsWith(status)),
        name,
      );
    }
  });

  it('shows each covered metro on the map with its number of deals, and the same in a list', () => {
    const titles = elements.filter(({ tagName }) => tagName === 'title').map(textOf);
    const listed = elements.filter(({ tagName }) => tagName === 'li').map(textOf);
    for (const { name, state, coreCounty } of metros) {
      const count = deals.filter((deal) => deal.state === state && deal.county === coreCounty).length;
      const shown = titles.find((title) => title.startsWith(`${name}, ${state}: `));
      const [, onMap] = /: ([\d,]+) deals?$/.exec(shown ?? '') ?? [];
      // A deal without a ZIP or a county in its record may still be assigned to the metro.
      assert.ok(Number(onMap) >= count && count > 0, `${name}: ${onMap} on the map, ${count} in the feed`);
      assert.ok(listed.includes(`${name}, ${state} ${onMap}`), name);
    }
  });

  it('draws the claim against HUD and the score of each free sample, and states absent figures', () => {
    const cards = withClass('card').map(textOf).slice(1); // the first one again above
    const labels = elements.flatMap((element) => attributeOf(element, 'aria-label') ?? []);
    assert.ok(meta.free_samples.deals.length > 0);
    for (const [index, deal] of meta.free_samples.deals.entries()) {
      assert.ok(cards[index]?.includes(deal.why_this_is_interesting));
      assert.ok(labels.includes(`Deal score ${deal.deal_score} of 100`));
      const { cap_rate: claimed, cap_rate_underwritten: hud } = deal;
      if (claimed !== null && hud !== null)
        assert.ok(labels.some((label) => label.startsWith(`Cap rate claimed ${claimed}%, on HUD rents ${hud}%`)));
      else assert.match(cards[index] ?? '', /is absent: /);
    }
    const silent = { ...deals[0], cap_rate: null, cap_gap_pct: null, absent: { cap_rate: { reason: 'parse_failed' } } };
    const page = draw({ ...meta, free_samples: { ...meta.free_samples, deals: [silent as unknown as Deal] } }, sources);
    assert.match(page, /<code>cap_rate<\/code> is absent: parse_failed/);
  });

  it('shows the free samples of the other feeds too', () => {
    const lists = withClass('samples').map(textOf);
    assert.equal(lists.length, 3);
    const { signals, auctions, leads } = meta.free_samples;
    for (const { county } of signals) assert.ok(lists[0]?.includes(county));
    for (const { county } of auctions) assert.ok(lists[1]?.includes(county));
    for (const { score_rationale: rationale } of leads) assert.ok(lists[2]?.includes(rationale.base));
  });

  it('names no owner and no party of a case', () => {
    const { signals, auctions } = meta.free_samples;
    const names = [
      ...signals.map(({ owner_name: owner }) => owner),
      ...auctions.flatMap(({ plaintiff, defendant, attorney }) => [plaintiff, defendant, attorney]),
    ].filter((name) => name !== null);
    assert.ok(names.length > 3);
    const page = textOf(elements[0] ?? assert.fail('no page'));
    for (const name of names) assert.ok(!page.includes(name));
  });

  it('writes data as text, never as markup', () => {
    const hostile = `"'><script>alert(1)</script>&amp;`;
    const poison = <T>(value: T): T =>
      (typeof value === 'string'
        ? hostile
        : Array.isArray(value)
          ? value.map(poison)
          : typeof value === 'object' && value !== null
            ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, poison(each as unknown)]))
            : value) as T;
    const { metadata, states } = { metadata: poison(meta), states: poison(sources) };
    const page = draw({ ...metadata, pricing: poison(meta.pricing) }, states);
    assert.doesNotMatch(page, /<script>alert|&amp;/);
    const scripts = readHtml(page).filter(({ tagName }) => tagName === 'script');
    assert.deepEqual(
      scripts.map((script) => attributeOf(script, 'src')?.replace(/-[0-9a-f]{10}/, '')),
      ['/assets/copy.js'],
    );
  });

  it('changes with the feed, and returns 304 while nothing has changed', async () => {
    const changing = await startTestApp({ withData: false, settler: createInstantSettler(), now: () => new Date() });
    try {
      const empty = await ask(changing.url, '/');
      assert.match(empty.body.toString(), /Nothing is published yet/);
      await fillAsBefore(changing);
      const ifNoneMatch = { 'If-None-Match': empty.headers.etag ?? '' };
      const full = await ask(changing.url, '/', { headers: ifNoneMatch });
      assert.equal(full.status, 200);
      assert.match(full.body.toString(), /deals in 29 metros/);
      const tag = { 'If-None-Match': full.headers.etag ?? '' };
      const again = await ask(changing.url, '/', { headers: tag });
      // Sources are reported by the full minute, which may begin in between.
      const later =
        again.status === 304
          ? again
          : await ask(changing.url, '/', { headers: { 'If-None-Match': again.headers.etag ?? '' } });
      assert.equal(later.status, 304);
    } finally {
      await changing.stop();
    }
  });

  it('says plainly that a demonstration is one', () => {
    assert.equal(meta.data_class, 'demonstration');
    assert.match(withClass('notice').map(textOf).join(''), /This is a demonstration/);
    assert.doesNotMatch(draw({ ...meta, data_class: 'live' }, sources), /This is a demonstration/);
  });

  describe('its ways to buy', () => {
    const sampleOf = (name: string): string =>
      textOf(elements.find((element) => attributeOf(element, 'aria-label') === `${name}: sample`) ?? assert.fail(name));

    it('buy with three lines of code', async () => {
      const code = sampleOf('Three lines of code');
      assert.equal(code.split('\n').length, 3);
      const program = [
        "import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';",
        "import { ExactEvmScheme } from '@x402/evm';",
        "import { privateKeyToAccount } from 'viem/accounts';",
        'const account = privateKeyToAccount(process.env.KEY);',
        code,
        'process.stdout.write(JSON.stringify(deals));',
      ];
      const bought = await run(process.execPath, ['--input-type=module', '--eval', program.join('\n')], {
        KEY: buyer.privateKey,
      });
      const records = JSON.parse(bought) as Deal[];
      assert.ok(records.length > 0 && records.every(({ state }) => state === 'OH'));
    });

    it('ask for the price with curl', async () => {
      assert.match(await run('sh', ['-c', sampleOf('curl')]), /^HTTP\/1\.1 402 /);
    });

    it('buy on the command line', async () => {
      const command = sampleOf('Command line').replace('npm run buy --', `${process.execPath} dist/bin/deals-feed.js`);
      const deals = JSON.parse(await run('sh', ['-c', command])) as Deal[];
      assert.ok(deals.length > 0 && deals.every(({ state }) => state === 'OH'));
    });
  });

  function draw(metadata: Meta, states: Sources): string {
    return homePage({
      site: { name: 'Deals', version: '1.0.0', publicBaseUrl: 'https://deals.example.com' },
      contract,
      meta: metadata,
      sources: states,
      dealsByCounty: new Map(),
      terms: { network: 'eip155:8453', asset: '0x0', isLocal: false },
    });
  }
});

/** The output of a program in the project's directory. */
async function run(program: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(program, args, {
    cwd: dirname(findProjectFile('package.json')),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [written, complaint] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  return written || complaint;
}
