import { LRUCache } from 'lru-cache';

/** Where a proxy stands, without its address. */
export type ProxyPlace = 'loopback' | 'private' | 'public';

export type UntrustedProxies = ReturnType<typeof createUntrustedProxies>;

/** So long after its last request a proxy counts as gone. */
const rememberedMs = 600_000;
const mostPeers = 1_000;

/**
 * Notices proxies that are not trusted: peers that have forwarded for more than one address. One caller alone may send
 * X-Forwarded-For itself.
 *
 * @param elapsedMs milliseconds of a monotonic clock
 */
export function createUntrustedProxies(isTrusted: (peer: string) => boolean, elapsedMs: () => number) {
  const callers = new LRUCache<string, string>({ max: mostPeers });
  let found: { readonly place: ProxyPlace; readonly atMs: number } | undefined;
  return {
    /** @param header X-Forwarded-For as it came */
    note(peer: string, header: string): void {
      if (isTrusted(peer)) return;
      const [caller = ''] = header.split(',', 1);
      const before = callers.get(peer);
      if (before === undefined) callers.set(peer, caller);
      else if (before !== caller) found = { place: placeOf(peer), atMs: elapsedMs() };
    },
    /** Where one stands that was noticed within ten minutes. */
    find(): ProxyPlace | undefined {
      return found && elapsedMs() - found.atMs < rememberedMs ? found.place : undefined;
    },
  };
}

function placeOf(peer: string): ProxyPlace {
  const address = peer.replace(/^::ffff:/i, '');
  if (/^(127\.|::1$)/.test(address)) return 'loopback';
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd])/i.test(address) ? 'private' : 'public';
}
