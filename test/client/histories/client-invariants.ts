import type { Charge } from './model-service.js';

/** One wanted purchase, with any number of attempts. */
export interface WantedOnce {
  readonly path: string;
  readonly isDone: boolean;
}

/** Watches a history, and reports at the end which guarantee was broken. */
export interface InvariantChecker {
  onWanted(wanted: WantedOnce): void;
  onCharge(charge: Charge): void;
  onDelivery(path: string, record: { readonly id: string; readonly path: string } | undefined): void;
  /** The broken guarantee, with the events; undefined when none was broken. */
  judge(): string | undefined;
}

export interface Caps {
  readonly perHourAtomic: bigint;
  readonly perDayAtomic: bigint;
  readonly maxPriceAtomic: bigint;
}

const hourMs = 3_600_000;

/** Creates the invariant checker of one history. */
export function createInvariantChecker({ perHourAtomic, perDayAtomic, maxPriceAtomic }: Caps): InvariantChecker {
  const wanted = new Set<WantedOnce>();
  const delivered = new Set<string>();
  const charges: Charge[] = [];
  const broken: string[] = [];

  const countWanted = (path: string) => [...wanted].filter((each) => each.path === path).length;

  function assertWithin(charge: Charge, windowMs: number, limit: bigint, name: string): void {
    const sum = charges
      .filter(({ atMs }) => atMs > charge.atMs - windowMs)
      .reduce((total, { amount }) => total + amount, 0n);
    if (sum > limit) broken.push(`no cap is exceeded: ${sum} within the ${name}`);
  }

  return {
    onWanted: (each) => void wanted.add(each),
    onCharge(charge) {
      if (charges.some(({ nonce }) => nonce === charge.nonce))
        broken.push(`an authorization is charged once: ${charge.nonce}`);
      charges.push(charge);
      if (charge.amount > maxPriceAtomic) broken.push(`no cap is exceeded: ${charge.amount} for one call`);
      assertWithin(charge, hourMs, perHourAtomic, 'hour');
      assertWithin(charge, 24 * hourMs, perDayAtomic, 'day');
      const paid = charges.filter(({ path }) => path === charge.path).length;
      if (paid > countWanted(charge.path)) broken.push(`nothing is paid twice: ${paid} payments for ${charge.path}`);
    },
    onDelivery(path, record) {
      if (record === undefined || record.path !== path)
        return void broken.push(`what comes is what was asked for: ${path}`);
      if (!charges.some(({ nonce }) => nonce === record.id)) broken.push(`what comes was paid for: ${path}`);
      delivered.add(record.id);
    },
    judge() {
      const lost = charges.find(({ nonce }) => !delivered.has(nonce));
      if (lost !== undefined) broken.push(`what was paid comes in the end: ${lost.path}`);
      const missing = [...wanted].find(({ isDone }) => !isDone);
      if (missing !== undefined) broken.push(`what is wanted is had in the end: ${missing.path}`);
      return broken[0];
    },
  };
}
