import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { judgeCertificate } from '../../src/operator/checks/public-checks.js';
import { find } from './look.js';

type Answers = Readonly<Record<string, (response: ServerResponse) => unknown>>;

describe('what stands before the service is told in a sentence, with its cure', () => {
  const good: Answers = {
    '/healthz': (response) => response.end('{"status":"alive"}'),
    '/api/deals': (response) => response.writeHead(402, { 'PAYMENT-REQUIRED': 'e30=' }).end(),
    '/mcp': (response) => response.end('{}'),
  };
  const cases: readonly (readonly [what: string, Answers, sentence: string | undefined, cure?: string])[] = [
    ['nothing', {}, undefined],
    [
      'another service',
      { '/healthz': (response) => response.end('<html>') },
      '<base> in PUBLIC_BASE_URL does not lead to this service.',
      'Start the service, or correct PUBLIC_BASE_URL or the proxy in front.',
    ],
    ...[402, 502].map(
      (status) =>
        [
          `headers that are cut, and a ${status}`,
          { '/api/deals': (response: ServerResponse) => response.writeHead(status).end() },
          'What stands before <base> cuts the headers of a 402.',
          'proxy_buffer_size 8k;',
        ] as const,
    ),
    [
      'another Host',
      { '/mcp': (response) => response.writeHead(403).end() },
      'What stands before <base> rewrites Host: /mcp refuses it.',
      'proxy_set_header Host $host;',
    ],
  ];
  for (const [what, answers, sentence, cure] of cases)
    it(`public.reach: ${what}`, async () => {
      const server = createServer(({ url = '' }, response) => void { ...good, ...answers }[url]?.(response));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      try {
        const found = await find('public.reach', { PUBLIC_BASE_URL: base, NETWORK: 'eip155:84532' });
        assert.equal(found?.sentence.replace(base, '<base>'), sentence);
        assert.equal(found?.cure, cure);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

  const places = [
    ['loopback', 'on this machine', 'TRUSTED_PROXIES=loopback'],
    ['private', 'in the private network', 'TRUSTED_PROXIES=uniquelocal'],
    ['public', 'at a public address', 'Add the address of the proxy to TRUSTED_PROXIES.'],
  ] as const;
  for (const [place, where, cure] of places)
    it(`public.proxy: one ${where}`, async () => {
      assert.deepEqual(await find('public.proxy', {}, { findUntrustedProxy: () => place }), {
        sentence: `A proxy ${where} forwards buyers, and is not in TRUSTED_PROXIES: they share one limit.`,
        cure,
      });
      assert.equal(await find('public.proxy', {}, { findUntrustedProxy: () => undefined }), undefined);
    });

  it('public.reach: a certificate that ends soon', () => {
    const now = new Date('2026-03-01T00:00:00Z');
    assert.equal(judgeCertificate(new Date('2026-03-15T00:00:00Z'), now), undefined);
    assert.deepEqual(judgeCertificate(new Date('2026-03-14T23:00:00Z'), now)?.sentence, soon);
  });
});

const soon = 'The certificate of PUBLIC_BASE_URL ends in 13 days.';
