import type { HeldLeads } from './excluded.js';

/** What may not be sold to one buyer alone, by the ledger. */
export interface HeldFromSale {
  readonly leadIds: readonly string[];
  /** What was first seen before may have been sold so by a ledger that was lost. */
  readonly exclusiveFrom: Date | undefined;
}

/** Which leads are held: in the ledger, as this process knows it, about to be sold here, or not fit to be sold. */
export interface LeadHolds extends HeldLeads {
  /** Holds a lead for a sale that begins. */
  take(leadId: string): void;
  /** The sale is over: from then on the ledger alone decides. */
  giveBack(leadId: string): void;
  /** Holds a lead in one version of the feed, in which it cannot be sold. What was of another version is forgotten. */
  passOver(leadId: string, version: number): void;
  /** Reads the ledger's holds. What was held or released before the call is known after it. */
  refresh(): Promise<void>;
  /** The same, unless it was done within the last second. */
  refreshIfOld(): Promise<void>;
  /** A lead that was first seen before is not sold to one buyer. As of the last refresh. */
  exclusiveFrom(): Date | undefined;
}

export interface LeadHoldsPorts {
  readonly readHolds: () => Promise<HeldFromSale>;
  readonly momentAt: HeldLeads['momentAt'];
  readonly now: () => Date;
}

const oldMs = 1_000;

/** Creates the lead holds, empty until they are refreshed. */
export function createLeadHolds({ readHolds, momentAt, now }: LeadHoldsPorts): LeadHolds {
  let held: ReadonlySet<string> = new Set();
  let exclusiveFrom: Date | undefined;
  const taken = new Set<string>();
  /** Those of them whose sale has ended and whose holds have not been read since. */
  const ended = new Set<string>();
  let unfit = { version: 0, ids: new Set<string>() };
  let revision = 0;
  let readAtMs = -Infinity;
  let running: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;

  async function read(): Promise<void> {
    const endedBefore = [...ended];
    const startedAt = now();
    const { leadIds, ...holds } = await readHolds();
    const next = new Set(leadIds);
    if (endedBefore.length > 0 || !isSame(held, next)) revision++;
    // Only after the ledger was read: until then `refreshIfOld` waits for it.
    for (const leadId of endedBefore) {
      taken.delete(leadId);
      ended.delete(leadId);
    }
    held = next;
    exclusiveFrom = holds.exclusiveFrom;
    readAtMs = startedAt.getTime();
  }

  function refresh(): Promise<void> {
    // A running read may have begun too early; calls meanwhile share the next one.
    queued ??= running
      .catch(() => undefined)
      .then(() => {
        queued = undefined;
        return (running = read());
      });
    return queued;
  }

  return {
    momentAt,
    *held(version) {
      yield* taken;
      if (version === unfit.version) yield* unfit.ids;
      yield* held;
    },
    exclusiveFrom: () => exclusiveFrom,
    revision: () => revision,
    take(leadId) {
      taken.add(leadId);
      revision++;
    },
    giveBack(leadId) {
      ended.add(leadId);
      // The next `refreshIfOld` tries again.
      refresh().catch(() => (readAtMs = -Infinity));
    },
    passOver(leadId, version) {
      if (version !== unfit.version) unfit = { version, ids: new Set() };
      unfit.ids.add(leadId);
      revision++;
    },
    refresh,
    refreshIfOld: () =>
      Math.abs(now().getTime() - readAtMs) < oldMs && ended.size === 0 ? Promise.resolve() : refresh(),
  };
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}
