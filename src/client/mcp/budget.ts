/** A spending limit, in atomic units. Reserved amounts count as spent until they can no longer be charged. */
export interface Budget {
  left(): bigint;
  /** Reserves an amount. Returns false and reserves nothing when too little is left. */
  take(amount: bigint): boolean;
  /** Releases an amount at the moment from which it can no longer be charged. */
  giveBack(amount: bigint, from: Date): void;
}

/** A budget of this process only; it is not stored. */
export function createBudget(total: bigint, now: () => Date): Budget {
  let held = 0n;
  let ending: { readonly amount: bigint; readonly from: Date }[] = [];
  const left = (): bigint => {
    const at = now();
    for (const { amount, from } of ending) if (from <= at) held -= amount;
    ending = ending.filter(({ from }) => from > at);
    return total - held;
  };
  return {
    left,
    take(amount) {
      if (amount > left()) return false;
      held += amount;
      return true;
    },
    giveBack: (amount, from) => void ending.push({ amount, from }),
  };
}
