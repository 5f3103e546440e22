import { faultKinds, type FaultKind } from './faults.js';
import { runHistory, type HistoryOptions } from './history.js';

/** Removes from a failing history everything not needed to break the same guarantee: kinds of faults, then buyers. */
export async function shrink(options: HistoryOptions, promise: string): Promise<HistoryOptions> {
  const breaks = async (candidate: HistoryOptions) => (await runHistory(candidate))?.promise === promise;
  const without = new Set<FaultKind>(options.without);
  for (const kind of faultKinds) {
    if (await breaks({ ...options, without: new Set([...without, kind]) })) without.add(kind);
  }
  for (const buyers of [1, 2, 3]) {
    if (await breaks({ ...options, without, buyers })) return { ...options, without, buyers };
  }
  return { ...options, without };
}

/** The command that replays a history and prints its story. */
export function commandFor({ seed, variant, without = new Set(), buyers }: HistoryOptions): string {
  const parts = [`npm run simulate -- --seed ${seed}`];
  if (variant !== undefined) parts.push(`--damage "${variant.name}"`);
  if (without.size > 0) parts.push(`--without "${[...without].join(';')}"`);
  if (buyers !== undefined) parts.push(`--buyers ${buyers}`);
  return parts.join(' ');
}
