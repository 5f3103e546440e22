import { askPrice, encodePayment, signPayment } from '../support/pay.js';
import { createPageTokens } from '../../src/feeds/page-token.js';
import { measureBodies } from './bodies.js';
import { measureRecovery } from './recovery.js';
import { measure, startRemote, type Measurement, type RemoteServer, type Shot } from './load.js';
import { atLeast, atMost, type Goal, type Report } from './report.js';
import { benchSecret } from './servers.js';

const repeat = (count: number, shot: Shot): Shot[] => Array.from({ length: count }, () => shot);
const rounds = 12;
const dealsPath = '/api/deals?limit=50';

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
async function unseenPages(server: RemoteServer, count: number, view: 'full' | 'compact'): Promise<Shot[]> {
  const tokens = createPageTokens([benchSecret]);
  const { ids } = (await (await fetch(`${server.url}/api/deals/ids`)).json()) as { ids: { id: string }[] };
  return Array.from({ length: count }, (_, index) => ({
    path: `/api/pages/${tokens.issue({
      feed: 'deals',
      view,
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
 * Prints what a request costs here and, beside it, at the floor (node:http sending the same bytes) and at the official
 * x402 middleware. CPU per request is the figure to trust; requests per second depend on the machine.
 */
export async function measureRequests(report: Report, postgresUrl: string | undefined): Promise<void> {
  report.title('CPU of a request, beside node:http sending the same bytes');
  const ours = await startRemote('ours');
  const [firstSignature = ''] = await signMany(ours, 1);
  const [unseen, unseenCompact] = [await unseenPages(ours, 2_001, 'full'), await unseenPages(ours, 2_001, 'compact')];
  const [seen = { path: '' }, seenCompact = { path: '' }] = [unseen[0], unseenCompact[0]];
  const free = ['/api/meta', '/api/coverage', '/api/deals/ids'];
  const replies: Record<string, unknown> = { [dealsPath]: await capture(ours, dealsPath) };
  for (const path of [...free, seen.path, seenCompact.path]) replies[path] = await capture(ours, path);
  replies['/paid'] = await capture(ours, dealsPath, { 'PAYMENT-SIGNATURE': firstSignature });
  const raw = await startRemote('raw', replies);
  const routed = await startRemote('routed', replies);

  // Floor and service take turns, so that a machine that is busy meanwhile is so for both. What else it does only ever
  // adds: of each the lower quartile of the rounds counts.
  const pair = async (name: string, shots: Shot[], status: number, floorPath: string, goal?: Goal, server = ours) => {
    report.progress(name);
    await measure(raw, repeat(2_000, { path: floorPath }), status);
    const size = Math.floor(shots.length / rounds);
    const [floors, costs]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      floors.push((await measure(raw, repeat(size, { path: floorPath }), status)).cpuMicros);
      costs.push((await measure(server, shots.slice(round * size, (round + 1) * size), status)).cpuMicros);
    }
    const [floor, value] = [lowerQuartile(floors), lowerQuartile(costs)];
    report.figure({ name, value, unit: 'us CPU', floor, ...(goal && { goal }) });
    return value;
  };
  const again = async (name: string, path: string, status: number, goal: Goal, server = ours) => {
    await measure(server, repeat(3_000, { path }), status);
    return pair(name, repeat(9_000, { path }), status, path, goal, server);
  };

  await again('402 by express and openapi-backend alone', dealsPath, 402, atMost(1.25), routed);
  const cached = await again('402', dealsPath, 402, atMost(1.25));
  // As many as an hour's cache holds, each asked for once.
  const fresh = Array.from({ length: 2_000 }, (_, index) => ({ path: `${dealsPath}&min_price=${100_000 + index}` }));
  const missed = await pair('402 not asked for before', fresh, 402, dealsPath);
  report.figure({
    name: 'the same, more than one asked for before',
    value: missed - cached,
    unit: 'us CPU',
    goal: atMost(150),
  });
  for (const path of free) await again(`free ${path}`, path, 200, atMost(1.15));
  for (const [view, pages] of [
    ['full', unseen],
    ['compact', unseenCompact],
  ] as const) {
    const [{ path } = { path: '' }, ...others] = pages;
    await pair(`50 records, ${view}, page never seen`, others, 200, path, atMost(2));
    await again(`50 records, ${view}, page seen`, path, 200, atMost(1.3));
  }
  const forged = (await signMany(ours, 6_000)).map((signature) => ({
    path: dealsPath,
    headers: { 'PAYMENT-SIGNATURE': forge(signature) },
  }));
  // The compiler of the signature check takes its time.
  await measure(ours, forged.slice(0, 4_000), 402);
  const badlySigned = await pair('402 badly signed', forged.slice(4_000), 402, dealsPath);
  const recovery = await measureRecovery();
  report.figure({
    name: `recovery of a public key, ${recovery.build}`,
    value: recovery.micros,
    unit: 'us CPU',
    goal: atMost(60),
  });
  const recoveries = badlySigned / recovery.micros;
  report.figure({ name: 'badly signed in recoveries', value: recoveries, unit: '', goal: atMost(1.3) });
  await routed.stop();

  const paid = async (what: string, server: RemoteServer, count: number, connections: number, goal?: Goal) => {
    const name = `paid 50 records, ${what}, ${connections} connections`;
    report.progress(`${name}: signing`);
    const [warmUp, shots] = await Promise.all([buy(server, 200), buy(server, count)]);
    await measure(server, warmUp, 200);
    const measured = await measure(server, shots, 200, connections);
    report.figure({ name, value: measured.cpuMicros, unit: 'us CPU', ...(goal && { goal }) });
    return measured;
  };
  const buy = async (server: RemoteServer, count: number): Promise<Shot[]> =>
    (await signMany(server, count)).map((signature) => ({
      path: dealsPath,
      headers: { 'PAYMENT-SIGNATURE': signature },
    }));
  const official = await startRemote('official', (await (await fetch(ours.url + seen.path)).json()) as unknown);
  const peer = await paid('@x402/express', official, 1_000, 16);
  const against = (what: string, measured: Measurement) => {
    const value = measured.perSecond / peer.perSecond;
    report.figure({ name: `${what} against @x402/express`, value, unit: 'x the requests/s', goal: atLeast(8) });
  };
  against('paid, embedded database', await paid('embedded database', ours, 1_500, 16, atMost(700)));
  if (postgresUrl === undefined) report.progress('set TEST_DATABASE_URL to measure PostgreSQL too');
  else {
    // The database's own CPU is not in the figure: it runs in its own processes.
    const onPostgres = await startRemote('ours', undefined, { BENCH_DATABASE_URL: postgresUrl });
    against('paid, PostgreSQL', await paid('PostgreSQL', onPostgres, 1_500, 16, atMost(400)));
    await paid('PostgreSQL', onPostgres, 600, 1, atMost(900));
    await onPostgres.stop();
  }
  const page = (await (await fetch(ours.url + seen.path)).json()) as readonly unknown[];
  await Promise.all([ours.stop(), raw.stop(), official.stop()]);
  await measureBodies(
    page.map((record) => JSON.stringify(record)),
    report,
  );
}

function lowerQuartile(figures: readonly number[]): number {
  return [...figures].sort((one, other) => one - other)[Math.floor(figures.length / 4)] ?? NaN;
}
