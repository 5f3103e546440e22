/** What may be spent in all. What is set aside counts as spent until it is surely not. Atomic units. */
export interface Budget {
  left(): bigint;
  /** Sets an amount aside. False, and nothing is, when there is not so much left. */
  take(amount: bigint): boolean;
  /** Gives back what was surely not spent. */
  giveBack(amount: bigint): void;
}

/** A budget of this process; the next one starts anew. */
export function createBudget(total: bigint): Budget {
  let left = total;
  return {
    left: () => left,
    take(amount) {
      if (amount > left) return false;
      left -= amount;
      return true;
    },
    giveBack: (amount) => void (left += amount),
  };
}
