import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A line to a TCP server that fails as it is told. */
export interface CuttableProxy {
  readonly port: number;
  /** open: passes on. cut: ends every connection. hung: keeps them, and passes on nothing until it is open again. */
  set(state: 'open' | 'cut' | 'hung'): void;
  stop(): Promise<void>;
}

export async function startCuttableProxy(target: { readonly host: string; readonly port: number }) {
  let state: 'open' | 'cut' | 'hung' = 'open';
  const pairs = new Set<readonly [Socket, Socket]>();
  const apply = ([one, other]: readonly [Socket, Socket]): void => {
    if (state === 'cut') for (const each of [one, other]) each.destroy();
    else if (state === 'hung') for (const each of [one, other]) each.unpipe().pause();
    else one.pipe(other).pipe(one);
  };
  const server = createServer((socket) => {
    if (state === 'cut') return void socket.destroy();
    const pair = [socket, connect(target)] as const;
    pairs.add(pair);
    for (const each of pair) each.on('error', () => undefined).on('close', () => end(pair));
    apply(pair);
  });
  function end(pair: readonly [Socket, Socket]): void {
    pairs.delete(pair);
    for (const each of pair) each.destroy();
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      state = next;
      pairs.forEach(apply);
    },
    async stop() {
      pairs.forEach(end);
      server.close();
      await once(server, 'close');
    },
  } satisfies CuttableProxy;
}
