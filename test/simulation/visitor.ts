import type { Hex } from '../../src/payments/chain/eip3009.js';
import { signChallenge } from './payment-status.js';
import { send, type Visit } from './exchange.js';
import type { Purchase } from './purchase.js';
import { stranger } from './purchase.js';
import type { World } from './world.js';

/** Asks the payment status for the reply of a purchase, until it is answered or its tries are over. */
export function askStatus(
  world: World,
  purchase: Purchase,
  by: Visit['by'],
  { signs, tries, onEnd = () => undefined }: Manners,
): void {
  const { scheduler, instances } = world;
  const random = world.random('visitors');
  const wallet = by === 'payer' ? purchase.authorization.from : stranger;
  const again = (delayMs: number, proof: string | undefined, triesLeft: number): void =>
    void scheduler.after(delayMs, () => ask(proof, triesLeft));

  function ask(proof: string | undefined, triesLeft: number): void {
    const [first, ...others] = instances;
    if (first === undefined) return again(1_000, proof, triesLeft);
    const visit = { by, proof };
    const sent = { purchase, header: undefined, wanted: purchase.wanted, visit };
    send(world, random.pick([first, ...others]), sent, (seen) => {
      const isOver = triesLeft === 0 || seen?.status === 200 || seen?.status === 404;
      if (isOver) return onEnd(seen?.status);
      if (seen?.status !== 402) return again(random.between(500, 5_000), proof, triesLeft - 1);
      // The challenge of any instance is valid at all of them.
      const signed = signs ? signChallenge(String(seen.body), wallet as Hex) : undefined;
      again(random.between(10, 2_000), signed, triesLeft - 1);
    });
  }

  ask(undefined, tries);
}

interface Manners {
  /** Whether it signs the challenge, by the wallet that it has. */
  readonly signs: boolean;
  readonly tries: number;
  readonly onEnd?: (status: number | undefined) => void;
}
