import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDemoListing, demonstrationSize } from '../../../src/demo/data/create-demo-listing.js';
import { selectListings } from '../../../src/demo/data/write-demonstration-data.js';
import { localDateOf } from '../../../src/places/metros/local-date-of.js';
import type { AnySource } from '../../../src/sources/registry/create-source.js';
import { loadSources } from '../../../src/sources/registry/load-sources.js';
import type { DeliveryKind, Source } from '../../../src/sources/source.js';
import type { Upstream } from '../../../src/sources/upstream/upstream.js';
import { startMockServer, type MockServer } from '../upstream/mock-server.js';
import { badProperty, type DemoProperty, keepProperties, renderProperty } from './render-property.js';
import { createServices, type MockService, serviceKey } from './services.js';

/** The running services, each on a port of its own, by the file of sources that names them. */
export type RunningServices = Awaited<ReturnType<typeof serveServices>>;

/** Serves the demonstration's records in every wire format, as of the time of `now`. */
export async function serveServices(now: () => Date) {
  const directory = mkdtempSync(join(tmpdir(), 'services-'));
  const file = join(directory, 'sources.json');
  const servers: MockServer[] = [];
  const sources: object[] = [];
  let properties: readonly DemoProperty[] = [];
  for (const service of createServices(() => properties)) {
    const server = await startMockServer((request, response) => answer(service, server.url, request, response, now()));
    servers.push(server);
    const reach = { baseUrl: server.url, allowPrivate: true, requestsPerMinute: 600 };
    sources.push(...service.entries.map((entry) => ({ ...entry, ...reach })));
  }
  writeFileSync(file, JSON.stringify({ sources }));
  const readServiceKey = (name: string): string | undefined =>
    name === serviceKey.name ? serviceKey.value : undefined;
  return {
    /** For an app that reads them. */
    environment: {
      ...{ SOURCES_FILE: file, CONTACT_URL: 'https://deals.example/about', [serviceKey.name]: serviceKey.value },
    },
    /** Offers the listings of a revision at the listing service, from a day on. */
    offer(revision: number, day: Date): void {
      const indices = Array.from({ length: demonstrationSize.count }, (_, index) => index);
      const listings = indices.flatMap((index) => createDemoListing(demonstrationSize.seed, index, revision) ?? []);
      const offered = selectListings('lakes', listings).map(renderProperty);
      properties = keepProperties(properties, [...offered, badProperty], day);
    },
    /** The sources of the file. */
    async load(upstream: Upstream, readSecret = readServiceKey): Promise<readonly AnySource[]> {
      const loaded = await loadSources(file, { upstream, now, readSecret });
      assert.deepEqual(loaded.refused, []);
      return loaded.sources;
    },
    async close(): Promise<void> {
      await Promise.all(servers.map((server) => server.close()));
      rmSync(directory, { recursive: true });
    },
  };
}

/** The only source of a kind. */
export function pick<K extends DeliveryKind>(sources: readonly AnySource[], delivers: K): Source<K> {
  const found = sources.find((source) => source.delivers === delivers);
  return (found ?? assert.fail(`no source of ${delivers}`)) as unknown as Source<K>;
}

function answer(
  service: MockService,
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
  now: Date,
): void {
  // Sources rely on a server's clock.
  response.setHeader('date', now.toUTCString());
  const url = new URL(request.url ?? '/', origin);
  if (url.pathname === '/robots.txt') return void response.end('User-agent: *\nAllow: /\n');
  const day = localDateOf(service.countyFips, now);
  const { status = 200, headers = {}, body } = service.answer({ url, headers: request.headers, day });
  response.writeHead(status, headers).end(body);
}
