export interface GatherOptions<Item, Result> {
  /** Processes many items in one statement; results in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items that share a name never share a statement. */
  readonly namesOf: (item: Item) => readonly string[];
  readonly maxItems: number;
}

/**
 * Batches the items that arrive while a statement is running into the next one. An item that arrives alone is sent at
 * once, so batching adds no delay; under load items share the cost of a statement. A failure rejects every item of its
 * statement.
 */
export function gather<Item, Result>({
  run,
  namesOf,
  maxItems,
}: GatherOptions<Item, Result>): (item: Item) => Promise<Result> {
  interface Waiting {
    readonly item: Item;
    resolve(result: Result): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];
  let underway = false;

  function takeBatch(): Waiting[] {
    const names = new Set<string>();
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const each of waiting) {
      const own = namesOf(each.item);
      if (batch.length < maxItems && !own.some((name) => names.has(name))) batch.push(each);
      else rest.push(each);
      for (const name of own) names.add(name);
    }
    waiting = rest;
    return batch;
  }

  async function send(): Promise<void> {
    underway = true;
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        const results = await run(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    underway = false;
  }

  return (item) => {
    const result = new Promise<Result>((resolve, reject) => void waiting.push({ item, resolve, reject }));
    if (!underway) void send();
    return result;
  };
}
