import type { Hex } from '../../chain/eip3009.js';
import type { Settler } from '../settler.js';
import type { SelfSettler } from './self-settler.js';

/**
 * Settles with the key that this process holds, which changes. Without one, nothing is sent: a settlement fails with
 * `unexpected_settle_error`.
 *
 * @param open opens the settler of a key, by the key's address
 */
export function createLeasedSettler(open: (relayer: Hex) => SelfSettler, keyless: Settler) {
  let current: { readonly relayer: Hex; readonly settler: SelfSettler } | undefined;
  let changing: Promise<void> = Promise.resolve();

  /** Two settlers of one key would take each other's nonces: one is closed before the next is opened. */
  async function change(relayer: Hex | undefined): Promise<void> {
    if (current?.relayer === relayer) return;
    const before = current;
    current = undefined;
    await before?.settler.close();
    if (relayer === undefined) return;
    const settler = open(relayer);
    await settler.start();
    current = { relayer, settler };
  }

  /** From now on settles with this key, or with none. What is in flight is the next holder's. */
  function use(relayer: Hex | undefined): Promise<void> {
    changing = changing.then(() => change(relayer));
    return changing;
  }

  const settler: Settler = {
    by: 'chain',
    verify: (authorization) => (current?.settler ?? keyless).verify(authorization),
    settle: (authorization, attempt) => (current?.settler ?? keyless).settle(authorization, attempt),
    close: () => use(undefined),
  };
  return {
    settler,
    use,
    /** Why it cannot settle now, in plain words; undefined when it can, as far as is known. */
    settlementProblem: () =>
      current === undefined ? 'No relayer key is in use.' : current.settler.settlementProblem(),
  };
}
