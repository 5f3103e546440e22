import { setTimeout } from 'node:timers/promises';
import { askPrice, signPayment } from '../support/pay.js';
import { measure, startRemote } from './load.js';
import { median } from './median.js';
import { atMost, type Report } from './report.js';

const callsPerSecond = 100;
const sampleSeconds = 30;

/**
 * Sells for a long time at a steady pace, on PostgreSQL with instant settlement: whether memory grows, and how late the
 * event loop is. The heap is read after a forced collection.
 */
export async function measureSoak(report: Report, postgresUrl: string, minutes: number): Promise<void> {
  report.title(`${minutes} minutes of ${callsPerSecond} paid calls a second (PostgreSQL)`);
  const server = await startRemote('ours', undefined, { BENCH_DATABASE_URL: postgresUrl });
  const path = '/api/deals?limit=50';
  const challenge = await askPrice(server.url + path);
  const samples: { readonly hours: number; readonly heapMb: number; readonly loopP99Ms: number }[] = [];
  const startedAt = performance.now();
  let late = 0;
  for (let second = 0; second < minutes * 60; second++) {
    const shots = await Promise.all(
      Array.from({ length: callsPerSecond }, async () => ({
        path,
        headers: { 'PAYMENT-SIGNATURE': await signPayment(challenge) },
      })),
    );
    await measure(server, shots, 200, 16);
    const waitMs = startedAt + (second + 1) * 1_000 - performance.now();
    if (waitMs > 0) await setTimeout(waitMs);
    else late += 1;
    if ((second + 1) % sampleSeconds !== 0) continue;
    const { heapBytes, loopP99Ms } = await server.health();
    samples.push({ hours: (second + 1) / 3_600, heapMb: heapBytes / 1e6, loopP99Ms });
    report.progress(`${second + 1} s: ${(heapBytes / 1e6).toFixed(1)} MB`);
  }
  await server.stop();
  // In the first minutes caches fill.
  const { slope, standardError } = fitLine(samples.slice(Math.min(10, Math.floor(samples.length / 3))));
  const unit = `MB/h +- ${standardError.toFixed(1)}, ${samples.length} samples`;
  report.figure({ name: 'soak: growth of the heap', value: slope, unit, goal: atMost(8) });
  report.figure({
    name: 'soak: event loop late, p99',
    value: median(samples.map(({ loopP99Ms }) => loopP99Ms)),
    unit: 'ms',
    goal: atMost(20),
  });
  report.figure({ name: 'soak: seconds that took longer', value: late, unit: `of ${minutes * 60}` });
}

/** The line of least squares through the samples. */
function fitLine(samples: readonly { readonly hours: number; readonly heapMb: number }[]) {
  const mean = (of: (sample: (typeof samples)[number]) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [x, y] = [mean(({ hours }) => hours), mean(({ heapMb }) => heapMb)];
  const spread = samples.reduce((sum, { hours }) => sum + (hours - x) ** 2, 0);
  const slope = samples.reduce((sum, { hours, heapMb }) => sum + (hours - x) * (heapMb - y), 0) / spread;
  const rest = samples.reduce((sum, { hours, heapMb }) => sum + (heapMb - y - slope * (hours - x)) ** 2, 0);
  return { slope, standardError: Math.sqrt(rest / (samples.length - 2) / spread) };
}
