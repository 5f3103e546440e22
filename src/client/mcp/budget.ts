/** What may be spent in all. What is set aside counts as spent until it is surely not. Atomic units. */
export interface Budget {
  left(): bigint;
  /** Sets an amount aside. False, and nothing is, when there is not so much left. */
  take(amount: bigint): boolean;
  /** Gives back, from a moment on, what can surely not be spent any more then. */
  giveBack(amount: bigint, from: Date): void;
}

/** A budget of this process; the next one starts anew. */
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
