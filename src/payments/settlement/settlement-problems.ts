import type { SettlingPart } from './settler.js';

/** What can keep the service from selling, by the id of its check, and through whose fault. Buyers hear the first. */
const faultOf = {
  'chain.reach': 'chain',
  'database.reach': 'database',
  'database.writable': 'database',
  'machine.clock': 'chain',
  'ledger.behind': 'chain',
  'relayer.lease': 'chain',
  'chain.identity': 'chain',
  'chain.token': 'chain',
  'chain.head': 'chain',
  'relayer.gas': 'chain',
  'relayer.nonce': 'chain',
  'facilitator.reach': 'facilitator',
} as const satisfies Readonly<Record<string, SettlementProblem['by']>>;

/** Why nothing can be sold now, in plain words, and through whose fault. */
export interface SettlementProblem {
  readonly id: ProblemId;
  readonly by: SettlingPart | 'database';
  readonly why: string;
  /** The ledger may lack sales: a payment that it does not know may have been sent. */
  readonly mayHaveSent: boolean;
}

/** What the account that pays the gas lacks, whoever finds it. */
export const noGas = 'The account that pays for settlements has run out of gas money.';

export type ProblemId = keyof typeof faultOf;
export const problemIds = Object.keys(faultOf) as readonly ProblemId[];

/** The one place that knows why nothing can be sold. */
export type SettlementProblems = ReturnType<typeof createSettlementProblems>;

/** Whoever does the work, or watches it, tells its problems. */
export type TellProblem = Pick<SettlementProblems, 'tell'>;

/** @param nowMs milliseconds of a monotonic clock */
export function createSettlementProblems(nowMs: () => number) {
  const told = new Map<ProblemId, ToldProblem>();
  const doubted = new Set<ProblemId>();
  const isDue = (id: ProblemId): boolean => (told.get(id)?.fromMs ?? Infinity) <= nowMs();
  const mayHaveSent = (): boolean => told.has('ledger.behind') || isDue('database.reach') || isDue('database.writable');
  return {
    /**
     * The ledger may lack sales, also where they keep nothing from being sold, or its database is silent and may come
     * back as an older copy: what it does not know may be paid.
     */
    mayHaveSent,
    /**
     * Tells in plain words why something does not work, or with undefined that it does. `fromMs`: it does not from then
     * on, unless something else is told before. `isDoubt`: it may be a bad moment, and counts when told twice in a row.
     * `describe`: what the operator hears instead, who may know hosts and addresses.
     */
    tell(
      id: ProblemId,
      why: string | undefined,
      { fromMs = -Infinity, isDoubt = false, describe = () => why ?? '' }: Partial<HowTold> = {},
    ): void {
      const isFirst = isDoubt && why !== undefined && !doubted.has(id) && !told.has(id);
      if (isFirst) doubted.add(id);
      else doubted.delete(id);
      if (why === undefined) told.delete(id);
      else if (!isFirst) told.set(id, { why, fromMs, describe });
    },
    /** Why nothing can be sold now; undefined when it can, as far as is known. */
    current(): SettlementProblem | undefined {
      for (const id of problemIds) {
        const { why, fromMs } = told.get(id) ?? notTold;
        if (fromMs <= nowMs()) return { id, by: faultOf[id], why, mayHaveSent: mayHaveSent() };
      }
      return undefined;
    },
    /** The ids of all that keeps it from selling, with the reason of each. */
    list: () => problemIds.filter(isDue).map((id) => ({ id, ...(told.get(id) ?? notTold) })),
  };
}

interface HowTold {
  readonly fromMs: number;
  readonly isDoubt: boolean;
  readonly describe: () => string;
}

interface ToldProblem extends Omit<HowTold, 'isDoubt'> {
  readonly why: string;
}

const notTold: ToldProblem = { why: '', fromMs: Infinity, describe: () => '' };
