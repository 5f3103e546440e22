import { askPrice, signPayment } from '../support/pay.js';
import { measure, startRemote, type RemoteServer } from './load.js';
import { median } from './median.js';
import { atMost, type Report } from './report.js';
import type { Turned } from './servers.js';

/** What the preview of a 402 may cost beside the rest of it. */
const previewShare = 0.02;
const [rounds, size] = [40, 1_000];
const [scrapes, sales, mostScrapeMs] = [50, 500, 30];
const path = '/api/deals?limit=50';

/**
 * What counting and the line in the log cost: one server answers the same question with it and without it by turns, so
 * that both have the same memory, the same compiled code and the same busy machine. A 402 is its cheapest answer to a
 * buyer.
 */
export async function measureMetrics(report: Report): Promise<void> {
  report.title('counting, logging and previewing a 402');
  const server = await startRemote('ours');
  await measureScrapes(server, report);
  const ask = async () => {
    const shots = Array.from({ length: size }, () => ({ path }));
    return (await measure(server, shots, 402)).cpuMicros;
  };
  const cpu = async (what: Turned, isOn: boolean) => {
    await server.turn(what, isOn);
    return ask();
  };
  for (const [what, mostShare] of [
    ['counting', 0.02],
    ['logging', undefined],
  ] as const) {
    for (const isOn of [true, false, true]) await cpu(what, isOn);
    const [turnedOn, plain]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++)
      // Whichever is first profits from nothing.
      for (const isOn of round % 2 === 0 ? [true, false] : [false, true])
        (isOn ? turnedOn : plain).push(await cpu(what, isOn));
    await server.turn(what, false);
    // What else the machine does only ever adds: the least is the cost itself.
    const without = Math.min(...plain);
    const more = Math.min(...turnedOn) - without;
    const goal = mostShare && atMost(Math.max(mostShare * without, 1));
    report.figure({
      name: `${what} a 402`,
      value: more,
      unit: `us CPU beside ${without.toFixed(1)}`,
      ...(goal && { goal }),
    });
  }
  const told = await server.watch();
  for (let round = 0; round < 10; round++) await ask();
  const share = await told('/api/count/');
  await server.stop();
  const percent = (100 * share) / (1 - share);
  report.figure({ name: 'preview of a 402', value: percent, unit: '% of the rest', goal: atMost(100 * previewShare) });
}

/** How long a scrape takes, before and after many sales: the median of some. */
async function measureScrapes(server: RemoteServer, report: Report): Promise<void> {
  async function scrape(when: string): Promise<void> {
    const tookMs: number[] = [];
    let bytes = 0;
    for (let each = 0; each < scrapes; each++) {
      const begun = performance.now();
      bytes = (await (await fetch(`${server.operatorUrl}/metrics`)).arrayBuffer()).byteLength;
      tookMs.push(performance.now() - begun);
    }
    const value = median(tookMs);
    report.figure({ name: `a scrape ${when}`, value, unit: `ms, ${bytes} bytes`, goal: atMost(mostScrapeMs) });
  }
  await server.turn('counting', true);
  await scrape('before sales');
  const challenge = await askPrice(server.url + path);
  const headers = await Promise.all(Array.from({ length: sales }, () => signPayment(challenge)));
  await measure(
    server,
    headers.map((header) => ({ path, headers: { 'PAYMENT-SIGNATURE': header } })),
    200,
  );
  await scrape(`after ${sales} sales`);
  await server.turn('counting', false);
}
