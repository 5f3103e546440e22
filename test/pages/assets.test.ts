import assert from 'node:assert/strict';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { ask } from '../support/raw-http.js';
import { attributeOf, readHtml } from './read-html.js';

/** Most bytes that a first visit loads, compressed. */
const limits = {
  '/': 40_000,
  '/report': 55_000,
  '/errors': 15_000,
  '/deals': 50_000,
  '/docs': 55_000,
  '/api/deals?state=OH': 30_000,
} as const;
const mostWithPayment = 80_000;

describe('the stylesheets and scripts of the pages', () => {
  let app: SharedApp;
  before(async () => (app = await shareApp()));

  const navigation = { Accept: 'text/html,*/*', 'Sec-Fetch-Mode': 'navigate' };
  const get = (path: string) => ask(app.url, path, { headers: { ...navigation, 'Accept-Encoding': 'br' } });

  async function loadedBy(path: string): Promise<readonly string[]> {
    const { body } = await ask(app.url, path, { headers: navigation });
    const elements = readHtml(body.toString());
    const links = elements.filter(({ tagName }) => tagName === 'link');
    const sheets = links.filter((link) => ['stylesheet', 'icon'].includes(attributeOf(link, 'rel') ?? ''));
    const scripts = elements.filter(({ tagName }) => tagName === 'script');
    return [
      ...sheets.map((link) => attributeOf(link, 'href') ?? ''),
      ...scripts.map((script) => attributeOf(script, 'src') ?? ''),
    ];
  }

  for (const [path, limit] of Object.entries(limits))
    it(`of ${path}: one of each at most, ${limit / 1000} kB with the page`, async () => {
      const loaded = await loadedBy(path);
      for (const type of ['.css', '.js']) assert.ok(loaded.filter((each) => each.endsWith(type)).length <= 1, type);
      let bytes = 0;
      for (const each of [path, ...loaded]) {
        const { status, body } = await get(each);
        assert.equal(status, each.startsWith('/api/') ? 402 : 200, each);
        bytes += body.length;
      }
      assert.ok(bytes <= limit, `${bytes} bytes`);
      const { body: buying } = await get('/assets/buy.js');
      assert.ok(
        !path.startsWith('/api/') || bytes + buying.length <= mostWithPayment,
        `${bytes + buying.length} bytes`,
      );
    });

  it('are kept for a year under the address that the page names, which changes with them', async () => {
    const sheet = (await loadedBy('/')).find((each) => each.endsWith('.css')) ?? '';
    assert.match(sheet, /^\/assets\/home-[0-9a-f]{10}\.css$/);
    const { headers, body } = await ask(app.url, sheet);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    const { headers: again } = await ask(app.url, sheet, { headers: { 'If-None-Match': String(headers['etag']) } });
    assert.equal(again['cache-control'], headers['cache-control']);
    for (const other of ['/assets/home-0123456789.css', '/assets/home.css']) {
      const reply = await ask(app.url, other);
      assert.deepEqual([reply.status, reply.headers['cache-control']], [200, 'public, max-age=60'], other);
      assert.ok(reply.body.equals(body), other);
    }
    assert.equal((await ask(app.url, '/assets/no-such-0123456789.css')).status, 404);
  });
});
