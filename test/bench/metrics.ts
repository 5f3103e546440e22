import { measure, startRemote } from './load.js';
import { atMost, type Report } from './report.js';
import type { Turned } from './servers.js';

/** What the preview of a 402 may cost beside the rest of it. */
const previewShare = 0.02;
const [rounds, size] = [40, 1_000];
const path = '/api/deals?limit=50';

/**
 * What counting and the line in the log cost: one server answers the same question with it and without it by turns, so
 * that both have the same memory, the same compiled code and the same busy machine. A 402 is its cheapest answer to a
 * buyer.
 */
export async function measureMetrics(report: Report): Promise<void> {
  report.title('counting, logging and previewing a 402');
  const server = await startRemote('ours');
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
