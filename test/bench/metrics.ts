import { measure, startRemote } from './load.js';
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
export async function measureMetrics(out: (line: string) => void): Promise<void> {
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
    const cost = `\n${what} a 402 of ${without.toFixed(1)} us costs ${more.toFixed(2)} us more (least of ${rounds} rounds each)`;
    if (mostShare === undefined) {
      out(cost);
      continue;
    }
    const most = Math.max(mostShare * without, 1);
    out(`${cost}; at most ${most.toFixed(2)}: ${more <= most ? 'kept' : 'NOT KEPT'}`);
  }
  const told = await server.watch();
  for (let round = 0; round < 10; round++) await ask();
  const share = await told('/api/count/');
  await server.stop();
  const cost = share / (1 - share);
  const verdict = cost <= previewShare ? 'kept' : 'NOT KEPT';
  out(`its preview costs ${(100 * cost).toFixed(1)} % of the rest of it; at most ${100 * previewShare}: ${verdict}`);
}
