import type { SettlementProblem } from './settler.js';

/** What can keep the service from selling, and through whose fault. Buyers are told the first of them that does. */
const faultOf = {
  chain: 'chain',
  database: 'database',
  clock: 'chain',
  ledger: 'chain',
  keys: 'chain',
  relayer: 'chain',
  gas: 'chain',
  nonce: 'chain',
  facilitator: 'facilitator',
} as const satisfies Readonly<Record<string, SettlementProblem['by']>>;

type Part = keyof typeof faultOf;
const parts = Object.keys(faultOf) as Part[];

/** The one place that knows why nothing can be sold. */
export type SettlementProblems = ReturnType<typeof createSettlementProblems>;

/** A part tells its own problems. */
export type TellProblem = Pick<SettlementProblems, 'tell'>;

/** @param nowMs milliseconds of a monotonic clock */
export function createSettlementProblems(nowMs: () => number) {
  const told = new Map<Part, Omit<SettlementProblem, 'mayHaveSent'> & { readonly fromMs: number }>();
  const mayHaveSent = (): boolean => told.has('ledger') || (told.get('database')?.fromMs ?? Infinity) <= nowMs();
  return {
    /**
     * The ledger may lack sales, also where they keep nothing from being sold, or its database is silent and may come
     * back as an older copy: what it does not know may be paid.
     */
    mayHaveSent,
    /**
     * A part tells that it cannot do its work, in plain words, or with undefined that it can again. `fromMs`: it cannot
     * from then on, unless it tells something else before. `detail`: for the operator alone.
     */
    tell(
      part: Part,
      why: string | undefined,
      { fromMs = -Infinity, detail = [] }: { readonly fromMs?: number; readonly detail?: readonly string[] } = {},
    ): void {
      if (why === undefined) told.delete(part);
      else told.set(part, { by: faultOf[part], why, detail, fromMs });
    },
    /** Why nothing can be sold now; undefined when it can, as far as is known. */
    current(): SettlementProblem | undefined {
      for (const part of parts) {
        const problem = told.get(part);
        if (problem !== undefined && problem.fromMs <= nowMs()) return { ...problem, mayHaveSent: mayHaveSent() };
      }
      return undefined;
    },
  };
}
