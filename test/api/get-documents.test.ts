import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  getContractJson,
  getContractYaml,
  getDocs,
  getDocsScript,
  getLlmsText,
  getX402Discovery,
} from '../../generated/sdk.gen.js';
import type { Client } from '../../generated/client/index.js';
import { publicPath } from '../../src/contract/public-path.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { findProjectFile } from '../../src/project-file.js';
import { createApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { livePath } from '../support/live-path.js';
import { askPrice } from '../support/pay.js';
import { ask } from '../support/raw-http.js';

const contract = loadContract();
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
    it('200: is the same document with the public address of this server', async () => {
      const { data } = await getContractJson({ client });
      const { servers, ...document } = data as unknown as { servers: { url: string }[] } & Record<string, unknown>;
      const { servers: _, ...expected } = contract.document;
      assert.deepEqual(document, JSON.parse(JSON.stringify(expected)));
      assert.deepEqual(
        servers.map(({ url }) => url),
        [publicBaseUrl],
      );
    });
  });

  describe('getLlmsText', () => {
    it('200: names every operation with its price and its filters, and carries the guidance', async () => {
      const { data, response } = await getLlmsText({ client });
      const text = String(data);
      assert.match(response.headers.get('Content-Type') ?? '', /^text\/plain/);
      for (const { path, priceUsd, parameters } of contract.operations) {
        const line = text.split('\n').find((each) => each.startsWith(`- [GET ${path}](${publicBaseUrl}${path})`));
        assert.ok(line !== undefined, path);
        assert.ok(line.includes(priceUsd === undefined ? '(free)' : `($${priceUsd})`), path);
        for (const { name } of parameters.filter((each) => each.in === 'query')) assert.ok(line.includes(name), name);
      }
      assert.ok(text.includes(contract.document.info['x-guidance'].trim()));
    });
  });

  describe('getX402Discovery', () => {
    it('200: lists what asks for payment, as its 402 does', async () => {
      const { data } = await getX402Discovery({ client });
      const paid = contract.operations.filter(({ priceUsd }) => priceUsd !== undefined);
      assert.deepEqual(
        data?.items.map(({ resource, price }) => [resource, price]),
        paid.map(({ path, priceUsd }) => [publicBaseUrl + publicPath(path), `$${priceUsd ?? ''}`]),
      );
      for (const [index, { path }] of paid.entries()) {
        const { resource, accepts } = await askPrice(app.url + livePath(app, path));
        assert.deepEqual([data?.resources[index], data?.items[index]?.network], [resource.url, accepts[0]?.network]);
      }
    });
  });

  describe('getDocs', () => {
    it('200: is a page whose every reference leads to this server and answers', async () => {
      const { data, response } = await getDocs({ client, parseAs: 'text' });
      // What stands in the page itself is fetched from nowhere.
      const html = String(data)
        .replaceAll(publicBaseUrl, '')
        .replace(/"data:[^"]*"/g, '""');
      assert.match(response.headers.get('Content-Type') ?? '', /^text\/html/);
      const references = [...html.matchAll(/(?:src|href|action|data|srcset|poster)\s*=\s*["']?([^"'\s>]+)/gi)].map(
        ([, address]) => address ?? '',
      );
      assert.ok(references.length >= 2);
      for (const address of references) {
        assert.match(address, /^\/(?!\/)/, 'own host only');
        assert.equal((await ask(app.url, address)).status, 200, address);
      }
      assert.doesNotMatch(html, /https?:\/\/|@import|url\(/i);
    });

    it('200: may by its policy load nothing from elsewhere, nor be framed', async () => {
      const { headers } = await ask(app.url, '/docs');
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /https?:|\*|'unsafe-eval'|script-src[^;]*'unsafe-inline'/);
    });
  });

  describe('getDocsScript', () => {
    it('200: is the program of the page, told to send and load nothing elsewhere', async () => {
      const { data, response } = await getDocsScript({ client, parseAs: 'text' });
      assert.match(response.headers.get('Content-Type') ?? '', /^application\/javascript/);
      const script = String(data);
      assert.ok(script.length > 100_000);
      const start = script.slice(-600);
      for (const setting of ['withDefaultFonts: false', 'telemetry: false', 'agent: { disabled: true }']) {
        assert.ok(start.includes(setting), setting);
      }
    });
  });
});
