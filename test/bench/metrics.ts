import { measure, startRemote } from './load.js';

/** What the preview of a 402 may cost beside the rest of it. */
const previewShare = 0.02;
const [rounds, size] = [40, 1_000];
const path = '/api/deals?limit=50';

/**
 * What counting costs: one server answers the same question with it and without it by turns, so that both have the same
 * memory, the same compiled code and the same busy machine. A 402 is its cheapest answer to a buyer.
 */
export async function measureMetrics(out: (line: string) => void): Promise<void> {
  const server = await startRemote('ours');
  const cpu = async (isOn: boolean) => {
    await server.count(isOn);
    return (
      await measure(
        server,
        Array.from({ length: size }, () => ({ path })),
        402,
      )
    ).cpuMicros;
  };
  for (const isOn of [true, false, true]) await cpu(isOn);
  const [counted, plain]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++)
    // Whichever is first profits from nothing.
    for (const isOn of round % 2 === 0 ? [true, false] : [false, true]) (isOn ? counted : plain).push(await cpu(isOn));
  const told = await server.watch();
  for (let round = 0; round < 10; round++) await cpu(false);
  const share = await told('/api/count/');
  await server.stop();
  // What else the machine does only ever adds: the least is the cost itself.
  const without = Math.min(...plain);
  const more = Math.min(...counted) - without;
  const most = Math.max(0.02 * without, 1);
  out(
    `\ncounting a 402 of ${without.toFixed(1)} us costs ${more.toFixed(2)} us more (least of ${rounds} rounds each); ` +
      `at most ${most.toFixed(2)}: ${more <= most ? 'kept' : 'NOT KEPT'}`,
  );
  const cost = share / (1 - share);
  const verdict = cost <= previewShare ? 'kept' : 'NOT KEPT';
  out(`its preview costs ${(100 * cost).toFixed(1)} % of the rest of it; at most ${100 * previewShare}: ${verdict}`);
}
