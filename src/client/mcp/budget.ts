export type Budget = ReturnType<typeof createBudget>;

/**
 * Creates a spending limit of this process, in atomic units; it is not stored. Reserved amounts count as spent until
 * they can no longer be charged.
 */
export function createBudget(total: bigint, now: () => Date) {
  let reserved = 0n;
  let ending: { readonly amount: bigint; readonly from: Date }[] = [];
  const left = (): bigint => {
    const at = now();
    for (const { amount, from } of ending) if (from <= at) reserved -= amount;
    ending = ending.filter(({ from }) => from > at);
    return total - reserved;
  };
  return {
    left,
    /** Reserves an amount. Returns false and reserves nothing when too little is left. */
    take(amount: bigint): boolean {
      if (amount > left()) return false;
      reserved += amount;
      return true;
    },
    /** Releases an amount at the moment from which it can no longer be charged. */
    giveBack: (amount: bigint, from: Date): void => void ending.push({ amount, from }),
  };
}
