import type { Random } from './random.js';

/** The possible faults of a history, in plain words. */
export const faultKinds = [
  'database error before commit',
  'database error after commit',
  'slow database',
  'relayer paused at a keep',
  'node unreachable',
  'slow node',
  'stale node',
  'bad answer of a node',
  'nothing could be sent',
  'transfer failed among others',
  'transfer of a payer with code failed',
  'payer with code',
  'payer with too little',
  'known payer',
  'known payers at once',
  'two payments with the money of one',
  'price asked for',
  'transaction stuck',
  'transaction dropped',
  'slow facilitator',
  'facilitator unreachable',
  'facilitator connection reset',
  'facilitator answer lost',
  'facilitator does not verify',
  'facilitator says pending',
  'facilitator fails after settling',
  'facilitator answers invalid JSON',
  'facilitator names a replaced transaction',
  'facilitator forgets what it accepts',
  'facilitator lies that it settled',
  'facilitator lies that it refused',
  'reorg, transfer in another block',
  'reorg, transfer back in the pool',
  'reorg, transfer gone',
  'front-run by a third party',
  'authorization cancelled',
  'nonce spent on somebody else',
  'funds moved away',
  'funds came back',
  'clock jump',
  'takedown of what is sold',
  'older ledger',
  'emptied ledger',
  'database goes back',
  'feed moved',
  'handler failed',
  'crash',
  'client hung up',
  'request lost',
  'delivery incomplete',
  'another copy',
  'another request with the same payment',
  'forged payment',
  'signature shown without its identifier',
  'identifier shown with another payment',
  'reply asked for by its payer',
  'reply asked for without a proof',
  "reply asked for with a stranger's proof",
  'payment on a HEAD request',
  'fresh payment for an unchanged reply',
  'nothing matches',
  'exclusive lead wanted',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Which copy of the database takes its place, once in a history; under running instances it goes back. */
export const restoreKinds = ['older ledger', 'emptied ledger', 'database goes back'] as const;

/** How often each kind of fault actually occurred. */
export type FaultCounts = Map<string, number>;

/** The faults of one history. */
export interface Faults {
  /** Whether the fault occurs here; counted when it does. */
  happens(kind: FaultKind): boolean;
  /** Whether to try the fault here; call `note` once it has occurred. */
  tempts(kind: FaultKind): boolean;
  note(what: string): void;
  /** Ends all faults. */
  stop(): void;
  readonly stopped: boolean;
}

/** Faults with one or two occasions per payment have higher rates than those with one at each step. */
const seldom: ReadonlySet<FaultKind> = new Set([
  'exclusive lead wanted',
  'delivery incomplete',
  'nothing could be sent',
  'relayer paused at a keep',
  'transaction dropped',
  'transaction stuck',
  'transfer failed among others',
  'transfer of a payer with code failed',
  'payer with code',
  'payer with too little',
  'known payer',
  'known payers at once',
  'two payments with the money of one',
  'price asked for',
  ...faultKinds.filter((kind) => kind.startsWith('facilitator')),
]);

/**
 * Each history has only some kinds of faults, each at its own rate, so that rare combinations occur that would
 * otherwise go unseen.
 */
export function createFaults(
  random: (subject: string) => Random,
  counts: FaultCounts,
  without: ReadonlySet<FaultKind>,
): Faults {
  const rates = new Map<FaultKind, number>();
  let stopped = false;
  const note = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  // Each kind has its own random stream, so that adding or removing one leaves the others unchanged.
  function drawRate(kind: FaultKind): number {
    if (without.has(kind)) return 0;
    // How often a node answers badly is drawn elsewhere.
    if (kind === 'bad answer of a node') return 1;
    // Drawn once in a history.
    if (restoreKinds.some((each) => each === kind)) return 0.13;
    const draw = random(kind);
    return draw.chance(0.55) ? 0 : draw.pick(seldom.has(kind) ? [0.05, 0.2, 0.5] : [0.01, 0.05, 0.2]);
  }
  const tempts = (kind: FaultKind) => {
    if (stopped) return false;
    const rate = rates.get(kind) ?? drawRate(kind);
    rates.set(kind, rate);
    return rate > 0 && random(kind).chance(rate);
  };
  return {
    tempts,
    note,
    happens(kind) {
      const strikes = tempts(kind);
      if (strikes) note(kind);
      return strikes;
    },
    stop: () => void (stopped = true),
    get stopped() {
      return stopped;
    },
  };
}
