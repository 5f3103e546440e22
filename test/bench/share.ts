import { Session, type Profiler } from 'node:inspector/promises';

/**
 * Watches what this process computes; then tells which share of it was within files of a folder, or called by them.
 * What a database or the network does for them is not in it.
 */
export async function watchShare(): Promise<(folder: string) => Promise<number>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 250 });
  await session.post('Profiler.start');
  return async (folder) => {
    const { profile } = (await session.post('Profiler.stop')) as { profile: Profiler.Profile };
    session.disconnect();
    return shareOf(profile, folder);
  };
}

function shareOf({ nodes }: Profiler.Profile, folder: string): number {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const isWithin = (id: number | undefined): boolean => {
    const node = id === undefined ? undefined : byId.get(id);
    return node !== undefined && (node.callFrame.url.includes(folder) || isWithin(parents.get(node.id)));
  };
  let [within, all] = [0, 0];
  for (const { id, callFrame, hitCount = 0 } of nodes) {
    if (callFrame.functionName === '(idle)' || callFrame.functionName === '(program)') continue;
    all += hitCount;
    if (isWithin(id)) within += hitCount;
  }
  return within / all;
}
