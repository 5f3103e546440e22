import { askPrice, encodePayment, signPayment } from '../support/pay.js';
import { createPageTokens } from '../../src/feeds/page-token.js';
import { measureBodies } from './bodies.js';
import { measureEvents } from './events.js';
import { measureFirstPurchase } from './first-purchase.js';
import { measureMetrics } from './metrics.js';
import { measureQueries } from './queries.js';
import { measureRecovery } from './recovery.js';
import { measureScale } from './scale.js';
import { measureSettlement } from './settlement.js';
import { measure, startRemote, type Measurement, type RemoteServer, type Shot } from './load.js';
import { benchSecret } from './servers.js';

/**
 * Prints, side by side from one run, what a request costs here, at the floor (node:http sending the same bytes) and at
 * the official x402 middleware. CPU per request is the figure to trust; requests per second depend on the machine. It
 * is compiled, as what is shipped: the loader of the tests names each function whenever it is made, which would slow
 * down what is measured here and not what it is compared with.
 */
const out = (line: string) => void process.stdout.write(`${line}\n`);
const repeat = (count: number, shot: Shot): Shot[] => Array.from({ length: count }, () => shot);
const rounds = 7;
const dealsPath = '/api/deals?limit=50';

interface Row {
  readonly what: string;
  readonly measured: Measurement;
  readonly floor: Measurement;
}

async function capture(server: RemoteServer, path: string, headers: Record<string, string> = {}) {
  const reply = await fetch(server.url + path, { headers: { 'accept-encoding': 'identity', ...headers } });
  const body = Buffer.from(await reply.arrayBuffer()).toString('base64');
  return {
    status: reply.status,
    headers: Object.fromEntries(
      [...reply.headers].filter(([name]) => !['date', 'connection', 'keep-alive', 'content-length'].includes(name)),
    ),
    body,
  };
}

async function signMany(server: RemoteServer, count: number): Promise<string[]> {
  const challenge = await askPrice(server.url + dealsPath);
  return Promise.all(Array.from({ length: count }, () => signPayment(challenge)));
}

/** Tokens of pages that nobody has asked for: each starts behind another position of the feed. */
async function unseenPages(server: RemoteServer, count: number): Promise<Shot[]> {
  const tokens = createPageTokens([benchSecret]);
  const { ids } = (await (await fetch(`${server.url}/api/deals/ids`)).json()) as { ids: { id: string }[] };
  return Array.from({ length: count }, (_, index) => ({
    path: `/api/pages/${tokens.issue({
      feed: 'deals',
      view: 'full',
      filter: { minUnits: 0, maxPriceCents: 10_000_000_000 + index },
      limit: 50,
      after: { rank: { dealScore: 100, confidenceHundredths: 100, id: ids[index % ids.length]?.id ?? '' } },
      feedVersion: 1,
      expiresAt: Date.now() + 1_000_000,
    })}`,
  }));
}

/** The same payment with another amount of time to live: its signature is another account's. */
function forge(header: string): string {
  const payload = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as {
    payload: { authorization: { validBefore: string } };
  };
  const { authorization } = payload.payload;
  authorization.validBefore = String(Number(authorization.validBefore) - 1);
  return encodePayment(payload);
}

/**
 * `scale`: only the measurement of many records, of as many as are named; `queries`: only that of queries; `events`: of
 * events; `metrics`: what counting costs; else all, the one of many records last where a PostgreSQL is named.
 */
const [wanted, ...counts] = process.argv.slice(2);
const isScaleAlone = wanted === 'scale';
const [listings = 100_000, signals = 1_000_000] = counts.map(Number);
const queried = wanted === 'queries' && counts.length > 0 ? counts.map(Number) : [10_000, 100_000, 1_000_000];
const postgresUrl = process.env['TEST_DATABASE_URL'];

async function main(): Promise<void> {
  if (![undefined, 'scale', 'queries', 'events', 'metrics'].includes(wanted) || !(listings > 0 && signals > 0))
    throw new Error('Usage: npm run bench [-- scale [<listings> <signals>] | queries [<deals>...] | events | metrics]');
  if (wanted === undefined) await measureRequests();
  if (wanted === undefined || wanted === 'metrics') await measureMetrics(out);
  if (wanted === 'metrics') return;
  if (wanted === undefined || wanted === 'events') await measureEvents(out);
  if (wanted === 'events') return;
  if (!isScaleAlone) for (const count of queried) await measureQueries(out, count);
  if (wanted === 'queries') return;
  if (postgresUrl !== undefined) await measureScale(out, postgresUrl, { listings, signals });
}

async function measureRequests(): Promise<void> {
  const rows: Row[] = [];
  out('Starting servers ...');
  const ours = await startRemote('ours');
  const [firstSignature = ''] = await signMany(ours, 1);
  const unseen = await unseenPages(ours, 3_000);
  const seen = unseen[0] ?? { path: '' };
  const raw = await startRemote('raw', {
    [dealsPath]: await capture(ours, dealsPath),
    '/api/meta': await capture(ours, '/api/meta'),
    '/page': await capture(ours, seen.path),
    '/paid': await capture(ours, dealsPath, { 'PAYMENT-SIGNATURE': firstSignature }),
  });
  const page = (await (await fetch(ours.url + seen.path)).json()) as unknown;
  const official = await startRemote('official', page);

  const warm = async (server: RemoteServer, path: string, status: number) =>
    measure(server, repeat(3_000, { path }), status);
  // Floor and service take turns, so that a machine that is busy meanwhile is so for both; the median round counts.
  const pair = async (what: string, shots: Shot[], status: number, floorPath: string) => {
    out(`  ${what} ...`);
    await warm(raw, floorPath, status);
    const size = Math.ceil(shots.length / rounds);
    const turns: { measured: Measurement; floor: Measurement }[] = [];
    for (let round = 0; round < rounds; round++) {
      const floor = await measure(raw, repeat(size, { path: floorPath }), status);
      turns.push({ floor, measured: await measure(ours, shots.slice(round * size, (round + 1) * size), status) });
    }
    const ratio = (turn: (typeof turns)[number]) => turn.measured.cpuMicros / turn.floor.cpuMicros;
    const median = turns.sort((one, other) => ratio(one) - ratio(other))[Math.floor(rounds / 2)];
    if (median !== undefined) rows.push({ what, ...median });
  };

  await warm(ours, dealsPath, 402);
  await pair('402', repeat(20_000, { path: dealsPath }), 402, dealsPath);
  // As many as an hour's cache holds, each asked for once.
  const fresh = Array.from({ length: 2_000 }, (_, index) => ({ path: `${dealsPath}&min_price=${100_000 + index}` }));
  await pair('402, not asked for before', fresh, 402, dealsPath);
  const [cached = 0, missed = 0] = rows.map(({ measured }) => measured.cpuMicros);
  await warm(ours, '/api/meta', 200);
  await pair('free meta', repeat(10_000, { path: '/api/meta' }), 200, '/api/meta');
  await pair('50 records, page never seen', unseen.slice(1), 200, '/page');
  await warm(ours, seen.path, 200);
  await pair('50 records, page seen', repeat(3_000, seen), 200, '/page');

  const forged = (await signMany(ours, 11_400)).map((signature) => ({
    path: dealsPath,
    headers: { 'PAYMENT-SIGNATURE': forge(signature) },
  }));
  // The compiler of the signature check takes its time.
  await measure(ours, forged.slice(0, 10_000), 402);
  await pair('badly signed', forged.slice(10_000), 402, dealsPath);
  const badlySigned = rows.at(-1)?.measured.cpuMicros ?? 0;
  const recovery = await measureRecovery();

  const paid = async (what: string, server: RemoteServer, count: number) => {
    out(`  ${what}: signing ...`);
    const warmUp = (await signMany(server, 200)).map((signature) => ({
      path: dealsPath,
      headers: { 'PAYMENT-SIGNATURE': signature },
    }));
    const shots = (await signMany(server, count)).map((signature) => ({
      path: dealsPath,
      headers: { 'PAYMENT-SIGNATURE': signature },
    }));
    await measure(server, warmUp, 200);
    const measured = await measure(server, shots, 200, 16);
    const floor = await measure(raw, repeat(count, { path: '/paid' }), 200, 16);
    rows.push({ what, measured, floor });
    return measured;
  };
  const here = await paid('paid 50 records, embedded database', ours, 1_500);
  const peer = await paid('paid 50 records, @x402/express', official, 1_000);
  if (postgresUrl !== undefined) {
    // The database's own CPU is not in the figure: it runs in its own processes.
    const onPostgres = await startRemote('ours', undefined, { BENCH_DATABASE_URL: postgresUrl });
    await paid('paid 50 records, PostgreSQL', onPostgres, 1_500);
    await onPostgres.stop();
  } else out('  (set TEST_DATABASE_URL to measure PostgreSQL too)');
  await Promise.all([ours.stop(), raw.stop(), official.stop()]);

  out(
    `\n${'what'.padEnd(40)}${'requests/s'.padStart(12)}${'CPU us'.padStart(10)}${'floor us'.padStart(10)}${'x floor'.padStart(10)}`,
  );
  for (const { what, measured, floor } of rows) {
    const cells = [
      measured.perSecond.toFixed(0).padStart(12),
      measured.cpuMicros.toFixed(0).padStart(10),
      floor.cpuMicros.toFixed(0).padStart(10),
      (measured.cpuMicros / floor.cpuMicros).toFixed(2).padStart(10),
    ];
    out(what.padEnd(40) + cells.join(''));
  }
  out(
    `\npaid, this service (embedded) against @x402/express: ${(here.perSecond / peer.perSecond).toFixed(1)} x the requests/s, ${(peer.cpuMicros / here.cpuMicros).toFixed(1)} x less CPU`,
  );
  out(`a 402 that was not asked for before costs ${((missed - cached) / 1_000).toFixed(3)} ms more`);
  out(
    `a badly signed payment costs ${(badlySigned / recovery.micros).toFixed(2)} recoveries of a public key (${recovery.micros.toFixed(0)} us each, ${recovery.build})`,
  );
  await measureFirstPurchase(out);
  await measureBodies(
    (page as unknown[]).map((record) => JSON.stringify(record)),
    out,
  );
  await measureSettlement(out);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
