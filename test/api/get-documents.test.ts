import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  getApiCatalog,
  getContractJson,
  getContractYaml,
  getDocs,
  getSkill,
  getFavicon,
  getLlmsText,
  getSecurityText,
  getX402Discovery,
} from '../../generated/sdk.gen.js';
import type { Client } from '../../generated/client/index.js';
import { publicPath } from '../../src/contract/contract.js';
import type { CatalogEntry, CatalogLink } from '../../src/pages/discovery/api-catalog.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { findProjectFile } from '../../src/project-file.js';
import { createApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { livePath } from '../support/live-path.js';
import { askPrice } from '../support/pay.js';
import { ask } from '../support/raw-http.js';

const contract = loadContract();
const forData = contract.operations.filter(({ path }) => path.startsWith('/api/'));
const publicBaseUrl = 'https://deals.example.com';

describe('the documents about the service', () => {
  let app: TestApp;
  let client: Client;
  before(async () => {
    app = await startTestApp({ environment: { PUBLIC_BASE_URL: publicBaseUrl } });
    client = createApiClient(app.url);
  });
  after(() => app.stop());

  describe('getContractYaml', () => {
    it('200: is the handwritten file, byte for byte', async () => {
      const { body, headers } = await ask(app.url, '/openapi.yaml');
      assert.ok(body.equals(readFileSync(findProjectFile('openapi.yaml'))));
      assert.match(String(headers['content-type']), /^application\/yaml/);
      assert.equal((await getContractYaml({ client, parseAs: 'text' })).response.status, 200);
    });
  });

  describe('getContractJson', () => {
    it("200: is the same document with this server's public address and its operator's contact", async () => {
      const { data } = await getContractJson({ client });
      const { servers, ...document } = data as unknown as { servers: { url: string }[] } & Record<string, unknown>;
      const { servers: _, ...expected } = structuredClone(contract.document);
      Object.assign(expected.info.contact, { url: publicBaseUrl });
      assert.deepEqual(document, JSON.parse(JSON.stringify(expected)));
      assert.deepEqual(
        servers.map(({ url }) => url),
        [publicBaseUrl],
      );
    });
  });

  describe('getLlmsText', () => {
    it('200: names every product and free helper with price and filters, and includes the guidance', async () => {
      const { data, response } = await getLlmsText({ client });
      const text = String(data);
      assert.match(response.headers.get('Content-Type') ?? '', /^text\/plain/);
      for (const { path, priceUsd, parameters } of forData) {
        const line = text.split('\n').find((each) => each.startsWith(`- [GET ${path}](${publicBaseUrl}${path})`));
        assert.ok(line !== undefined, path);
        assert.ok(line.includes(priceUsd === undefined ? '(free)' : `($${priceUsd})`), path);
        for (const { name } of parameters.filter((each) => each.in === 'query')) assert.ok(line.includes(name), name);
      }
      assert.ok(text.includes(contract.document.info['x-guidance'].trim()));
      for (const { tool } of contract.operations) assert.ok(tool === undefined || text.includes(tool.name));
    });

    it('200: works one purchase out in dollars, and leaves out icon, assets, pages and probes', async () => {
      const text = String((await getLlmsText({ client })).data);
      assert.match(
        text,
        /\/api\/deals\/basic\?state=OH\S* \(\$0\.01\).*\n.*\/report \(\$1\.50\).*\n\nIn all \$1\.51\./,
      );
      assert.doesNotMatch(text, /favicon|\/assets|\/healthz|\/readyz|reference\.js|security\.txt/);
    });
  });

  describe('getX402Discovery', () => {
    it('200: lists the priced operations as in their 402s', async () => {
      const { data } = await getX402Discovery({ client });
      const paid = contract.operations.filter(({ priceUsd }) => priceUsd !== undefined);
      assert.deepEqual(
        data?.items.map(({ resource, price }) => [resource, price]),
        paid.map(({ path, priceUsd }) => [publicBaseUrl + publicPath(path), `$${priceUsd ?? ''}`]),
      );
      for (const [index, { path }] of paid.entries()) {
        const { resource, accepts } = await askPrice(app.url + livePath(app, path));
        const template = publicBaseUrl + publicPath(path);
        assert.deepEqual([data?.resources[index], data?.items[index]?.network], [template, accepts[0]?.network]);
        if (!path.includes('{')) assert.equal(resource.url, template);
      }
    });

    it('200: lists what is free beside them, and works one purchase out whose calls are answered as it says', async () => {
      const { data } = await getX402Discovery({ client });
      assert.deepEqual(
        data?.free.map(({ resource }) => resource),
        forData.flatMap(({ path, priceUsd }) => (priceUsd === undefined ? [publicBaseUrl + publicPath(path)] : [])),
      );
      assert.equal(data.purchase.total, '$1.51');
      for (const { call = '', price } of data.purchase.calls) {
        const { status } = await ask(app.url, livePath(app, call.replace('GET ', '')));
        assert.deepEqual([call, status], [call, price === '$0.00' ? 200 : 402]);
      }
    });
  });

  describe('getApiCatalog', () => {
    it('200: is a linkset whose every link is on this server and resolves as described', async () => {
      const { data, response } = await getApiCatalog({ client, parseAs: 'json' });
      assert.equal(response.headers.get('Content-Type'), 'application/linkset+json');
      const [catalog, service] = (data as unknown as { linkset: CatalogEntry[] }).linkset;
      assert.equal(catalog?.anchor, `${publicBaseUrl}/.well-known/api-catalog`);
      const items = catalog['item'] as CatalogLink[];
      assert.deepEqual(
        items.map(({ href }) => href),
        [service?.anchor],
      );
      const links = Object.values(service ?? {})
        .filter(Array.isArray)
        .flat() as CatalogLink[];
      assert.ok(links.length > 5);
      for (const { href, type = '' } of links) {
        const { status, headers } = await ask(app.url, href.slice(publicBaseUrl.length));
        assert.equal(status, 200, href);
        assert.ok(String(headers['content-type']).startsWith(type), href);
      }
    });
  });

  describe('getSecurityText', () => {
    it('200: names a contact, and expires months later', async () => {
      const { data, response } = await getSecurityText({ client, parseAs: 'text' });
      assert.match(response.headers.get('Content-Type') ?? '', /^text\/plain/);
      const fields = Object.fromEntries(
        String(data)
          .trim()
          .split('\n')
          .map((line) => line.split(/: (.*)/) as [string, string]),
      );
      assert.equal(fields['Contact'], publicBaseUrl);
      assert.equal(fields['Canonical'], `${publicBaseUrl}/.well-known/security.txt`);
      const days = (Date.parse(fields['Expires'] ?? '') - Date.now()) / 86_400_000;
      assert.ok(days > 150 && days < 365, String(days));
    });
  });

  describe('getFavicon', () => {
    it('200: is an image', async () => {
      const { data, response } = await getFavicon({ client, parseAs: 'text' });
      assert.equal(response.headers.get('Content-Type'), 'image/svg+xml');
      assert.match(String(data), /^<svg /);
    });
  });

  describe('getDocs', () => {
    it('200: has a title for browsers and link previews', async () => {
      const html = String((await getDocs({ client, parseAs: 'text' })).data);
      for (const name of ['og:title', 'og:description', 'og:image', 'og:url'])
        assert.match(html, new RegExp(`<meta property="${name}" content="[^"]+">`), name);
      assert.match(html, /<title>[^<]+<\/title>/);
      assert.match(html, /<meta name="description" content="[^"]+">/);
    });

    it('200: is a page whose every reference is on this server and resolves', async () => {
      const { data, response } = await getDocs({ client, parseAs: 'text' });
      const html = String(data).replaceAll(publicBaseUrl, '');
      assert.match(response.headers.get('Content-Type') ?? '', /^text\/html/);
      const references = [...html.matchAll(/(?:src|href|action|data|srcset|poster)\s*=\s*["']?([^"'\s>]+)/gi)].map(
        ([, address]) => address ?? '',
      );
      assert.ok(references.length >= 2);
      for (const address of new Set(references)) {
        if (address.startsWith('#')) {
          assert.ok(html.includes(`id="${address.slice(1)}"`), address);
          continue;
        }
        assert.match(address, /^\/(?!\/)/, 'own host only');
        assert.ok([200, 402].includes((await ask(app.url, address.replace(/#.*/, ''))).status), address);
      }
      assert.doesNotMatch(html, /@import|url\(/i);
    });

    it('200: forbids by its policy loading from other origins and framing', async () => {
      const { headers } = await ask(app.url, '/docs');
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /https?:|\*|'unsafe-eval'|script-src[^;]*'unsafe-inline'/);
    });
  });

  describe('getSkill', () => {
    it('200: is the skill of the repository, byte for byte', async () => {
      const { data, response } = await getSkill({ client, parseAs: 'text' });
      assert.match(response.headers.get('Content-Type') ?? '', /^text\/markdown/);
      assert.equal(data, readFileSync(findProjectFile('skills/multifamily-deals/SKILL.md'), 'utf8'));
    });
  });
});
