import type { HeldLeads } from './excluded.js';

/** A lead that is held for a buyer until then. */
export interface Hold {
  readonly leadId: string;
  readonly until: Date;
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
}

export interface LeadHoldsPorts {
  /** All holds that are not over yet. */
  readonly readHolds: (now: Date) => Promise<readonly Hold[]>;
  readonly momentAt: HeldLeads['momentAt'];
  readonly now: () => Date;
}

const oldMs = 1_000;

/** Creates the lead holds, empty until they are refreshed. */
export function createLeadHolds({ readHolds, momentAt, now }: LeadHoldsPorts): LeadHolds {
  let held = new Map<string, Date>();
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
    const holds = await readHolds(startedAt);
    const next = new Map(holds.map(({ leadId, until }) => [leadId, until]));
    if (endedBefore.length > 0 || !isSame(held, next)) revision++;
    // Only after the ledger was read: until then `refreshIfOld` waits for it.
    for (const leadId of endedBefore) {
      taken.delete(leadId);
      ended.delete(leadId);
    }
    held = next;
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
    *held(at, version) {
      yield* taken;
      if (version === unfit.version) yield* unfit.ids;
      for (const [leadId, until] of held) if (until > at) yield leadId;
    },
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

function isSame(one: ReadonlyMap<string, Date>, other: ReadonlyMap<string, Date>): boolean {
  return one.size === other.size && [...one].every(([id, until]) => other.get(id)?.getTime() === until.getTime());
}
