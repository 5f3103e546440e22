import { concatBytes } from '../../src/contract/rendered.js';
import type {
  Claim,
  ClaimResult,
  Ledger,
  PaymentKey,
  PaymentRow,
  SettledAt,
} from '../../src/payments/ledger/ledger.js';
import {
  failuresAllowed,
  failuresCountMs,
  gasMs,
  inFlightMs,
  knownPayerMs,
  leaseMs,
  newcomerMs,
  openMs,
  youngMs,
} from '../../src/payments/ledger/ledger.js';
import { isClaimable, paymentIdOf, paymentName } from '../../src/payments/ledger/payment-row.js';
import { isSuppressed, type Takedown } from './takedowns.js';

/** A row of a payment as it is kept. */
export interface StoredRow extends Omit<PaymentRow, 'isLeased'> {
  readonly leaseUntil: Date;
}

/** The shared tables of all instances' ledgers. */
export interface LedgerTables {
  readonly payments: ReadonlyMap<string, StoredRow>;
  readonly bodies: Map<string, { readonly body: Uint8Array; readonly createdAt: Date }>;
  /** The published version of each feed. */
  readonly feeds: Map<string, number>;
  /** Every hold of a lead. */
  readonly holds: Set<{ readonly leadId: string; readonly until: Date; readonly payment: string }>;
  readonly takedowns: Takedown[];
  put(row: StoredRow): void;
}

/** Creates empty tables. `onChange` sees each change of a payment. */
export function createLedgerTables(
  onChange: (before: StoredRow | undefined, after: StoredRow) => void = () => undefined,
): LedgerTables {
  const payments = new Map<string, StoredRow>();
  return {
    payments,
    bodies: new Map(),
    feeds: new Map(),
    holds: new Set(),
    takedowns: [],
    put(row) {
      const before = payments.get(paymentName(row));
      payments.set(paymentName(row), row);
      onChange(before, row);
    },
  };
}

/**
 * An in-memory ledger with the guarantees of its port: each statement of the real store is one atomic step. The
 * conformance tests apply to it and to the real store.
 */
export function createModelLedger(tables: LedgerTables, ports: ModelLedgerPorts): Ledger {
  const { now, betweenStatements = async () => undefined, knownPayers = new Set() } = ports;
  const msAgo = (ms: number): number => now().getTime() - ms;
  const leaseEnd = (forMs: number): Date => new Date(now().getTime() + forMs);
  const read = ({ leaseUntil, ...row }: StoredRow): PaymentRow => ({ ...row, isLeased: leaseUntil > now() });
  const rowOf = (key: PaymentKey) => tables.payments.get(paymentName(key));

  /** Writes a change when the row exists and the condition holds. */
  function change(key: PaymentKey, holds: (row: StoredRow) => boolean, changes: Partial<StoredRow>): boolean {
    const row = rowOf(key);
    if (row === undefined || !holds(row)) return false;
    tables.put({ ...row, ...changes });
    return true;
  }
  const isHeldBy = (owner: string) => (row: StoredRow) => row.state === 'claimed' && row.leaseOwner === owner;

  function isIdTaken(key: PaymentKey, clientIdHash: Uint8Array | undefined): boolean {
    if (clientIdHash === undefined) return false;
    return [...tables.payments].some(
      ([name, row]) =>
        name !== paymentName(key) && row.payer === key.payer && hashName(row.clientIdHash) === hashName(clientIdHash),
    );
  }

  function isHeld({ leads = [] }: Claim): boolean {
    return [...tables.holds].some(({ leadId, until }) => until > now() && leads.some((each) => each.leadId === leadId));
  }

  function freeLead(key: PaymentKey): void {
    for (const hold of tables.holds) if (hold.payment === paymentName(key)) tables.holds.delete(hold);
  }

  function blockedUntil({ payer, payerGas }: Claim): Date | undefined {
    const since = msAgo(failuresCountMs);
    const failed = [...tables.payments.values()]
      .filter((row) => row.payer === payer)
      .flatMap(({ failure }) => failure?.failedAt.getTime() ?? [])
      .filter((failedAtMs) => failedAtMs > since)
      .sort((one, other) => other - one);
    const last = failed[(payerGas === undefined ? failuresAllowed.withoutCode : failuresAllowed.withCode) - 1];
    return last === undefined ? undefined : new Date(last + failuresCountMs);
  }

  /** No shared transaction has burned its gas lately, whoever sent it. */
  function isCalm(): boolean {
    const since = msAgo(gasMs);
    return ![...tables.payments.values()].some(
      ({ failure }) => failure?.burnedShared === true && failure.failedAt.getTime() > since,
    );
  }

  function isKnown({ payer }: Claim): boolean {
    if (knownPayers.has(payer)) return true;
    const ages = [...tables.payments.values()]
      .filter((row) => row.payer === payer && row.state === 'settled')
      .map(({ settlement }) => msAgo(settlement?.settledAt.getTime() ?? 0));
    return ages.some((ageMs) => ageMs > newcomerMs && ageMs < knownPayerMs);
  }

  function inFlightOf({ payer, asset, network, funds }: Claim): StoredRow[] {
    const ofPayer = [...tables.payments.values()].filter((row) => row.payer === payer && row.asset === asset);
    return ofPayer
      .filter((row) => row.network === network && row.claimedAt.getTime() > msAgo(inFlightMs))
      .filter(({ state, settlement, leaseUntil, claimedAt }) =>
        state === 'settled'
          ? funds !== undefined && settlement !== undefined && settlement.blockNumber > funds.blockNumber
          : state === 'claimed' && (leaseUntil > now() || claimedAt.getTime() > msAgo(youngMs)),
      );
  }

  function isCovered(claim: Claim): boolean {
    if (claim.funds === undefined || claim.isPaid) return true;
    return inFlightOf(claim).reduce((sum, { amount }) => sum + amount, claim.amount) <= claim.funds.balance;
  }

  function find(key: PaymentKey): PaymentRow | undefined {
    const row = rowOf(key);
    return row && read(row);
  }

  function insert(all: Claim): boolean {
    const { replyBody, feed, leads = [], isPaid, payerGas: _, funds: __, ...claim } = all;
    const row = rowOf(claim);
    if (tables.feeds.get(feed.name) !== feed.version || isIdTaken(claim, claim.clientIdHash) || isHeld(all))
      return false;
    if (!isPaid && blockedUntil(all) !== undefined) return false;
    if ((row === undefined || row.state === 'released') && !isCovered(all)) return false;
    tables.bodies.set(hashName(claim.replyHash), { body: concatBytes(replyBody), createdAt: now() });
    if (row !== undefined && !isClaimable(row, isPaid)) return false;
    const { reorgedAt, failure } = row ?? {};
    for (const { leadId, exclusiveUntil: until } of leads)
      if (until !== undefined) tables.holds.add({ leadId, until, payment: paymentName(claim) });
    const fresh = { state: 'claimed', settlement: undefined, reorgedAt, failure, delivery: 'pending' } as const;
    tables.put({ ...claim, ...fresh, claimedAt: now(), leaseUntil: leaseEnd(leaseMs) });
    return true;
  }

  async function claim(claim: Claim): Promise<ClaimResult> {
    const claimedAt = now();
    if (insert(claim)) return { kind: 'claimed', claimedAt, mayShare: isKnown(claim) && isCalm() };
    await betweenStatements();
    const row = find(claim);
    if (row !== undefined && !isClaimable(row, claim.isPaid)) return { kind: 'known', row };
    if (isIdTaken(claim, claim.clientIdHash)) return { kind: 'id_conflict' };
    if (claim.isPaid) return { kind: 'stale' };
    const until = blockedUntil(claim);
    if (until !== undefined) return { kind: 'payer_failed', until };
    return isCovered(claim) ? { kind: 'stale' } : { kind: 'funds_in_flight' };
  }

  return {
    ...reorgUpkeep(tables, { change, read, now }),
    find: async (key) => find(key),
    async findById(paymentId) {
      const row = [...tables.payments.values()].find((each) => paymentIdOf(each).equals(paymentId));
      return row && { row: read(row), isReplyKept: tables.bodies.has(hashName(row.replyHash)), readAt: now() };
    },
    claim,
    listInFlight: async (claim) =>
      inFlightOf(claim).map(({ nonce, amount, state }) => ({ nonce, amount, isOpen: state === 'claimed' })),
    isClientIdTaken: async ({ key, clientIdHash }) => isIdTaken(key, clientIdHash),
    finish: async (key, owner, { transaction, blockNumber }, leaseForMs) =>
      change(key, isHeldBy(owner), {
        state: 'settled',
        settlement: { transaction, blockNumber, settledAt: now() },
        leaseUntil: leaseEnd(leaseForMs),
      }),
    release: async (key, owner, _, failure) => {
      const isReleased = change(key, isHeldBy(owner), {
        state: 'released',
        clientIdHash: undefined,
        ...(failure && { failure: { ...failure, failedAt: now() } }),
      });
      if (isReleased) freeLead(key);
      return isReleased;
    },
    endLease: async (key, owner) => void change(key, isHeldBy(owner), { leaseUntil: now() }),
    takeOver: async (key, owner, leaseForMs) =>
      change(key, (row) => row.state === 'claimed' && row.leaseUntil <= now(), {
        leaseOwner: owner,
        leaseUntil: leaseEnd(leaseForMs),
      }),
    takeRedelivery: async (key, owner) =>
      change(
        key,
        ({ state, delivery, leaseUntil: end }) =>
          state === 'settled' && (delivery === 'incomplete' || (delivery === 'pending' && end <= now())),
        { leaseOwner: owner, leaseUntil: leaseEnd(leaseMs), delivery: 'pending' },
      ),
    async recordDeliveries(keys, delivery) {
      const holds = (row: StoredRow) =>
        row.state !== 'released' &&
        (row.delivery === 'pending' || (delivery === 'completed' && row.delivery !== 'refunded'));
      for (const key of keys) change(key, holds, { delivery });
    },
    async readReplyBody(hash) {
      const body = tables.bodies.get(hashName(hash))?.body;
      return body && isSuppressed(tables, String(body), now()) ? 'suppressed' : body;
    },
    async endForeignLeases(owner) {
      const foreign = [...tables.payments.values()].filter((row) => row.leaseOwner !== owner && row.leaseUntil > now());
      for (const row of foreign) tables.put({ ...row, leaseUntil: now() });
      return foreign.length;
    },
    async discardBodies(ageMs) {
      const before = new Date(msAgo(ageMs));
      const kept = new Set(
        [...tables.payments.values()]
          .filter((row) => row.claimedAt >= before || needsReply(row))
          .map(({ replyHash }) => hashName(replyHash)),
      );
      const old = [...tables.bodies].filter(([hash, { createdAt }]) => createdAt < before && !kept.has(hash));
      for (const [hash] of old) tables.bodies.delete(hash);
      return old.length;
    },
    async listOpen(limit) {
      const since = msAgo(openMs);
      return [...tables.payments.values()]
        .filter((row) => row.state === 'claimed' && row.leaseUntil <= now() && row.claimedAt.getTime() > since)
        .sort((a, b) => a.claimedAt.getTime() - b.claimedAt.getTime())
        .slice(0, limit)
        .map(read);
    },
  };
}

export interface ModelLedgerPorts {
  /** The database's clock. */
  readonly now: () => Date;
  /** What may happen while the refusal of a claim is being explained. */
  readonly betweenStatements?: () => Promise<void>;
  /** Those that have paid before. */
  readonly knownPayers?: ReadonlySet<string>;
}

interface UpkeepPorts extends Pick<ModelLedgerPorts, 'now'> {
  readonly read: (row: StoredRow) => PaymentRow;
  readonly change: (key: PaymentKey, holds: (row: StoredRow) => boolean, changes: Partial<StoredRow>) => boolean;
}

function reorgUpkeep(
  tables: LedgerTables,
  { now, read, change }: UpkeepPorts,
): Pick<Ledger, 'listSettled' | 'bookReorg' | 'moveSettlement'> {
  const msSince = (at: Date): number => now().getTime() - at.getTime();
  const holdsAs = (known: PaymentRow) => (row: StoredRow) =>
    row.state === 'settled' && row.settlement?.transaction === known.settlement?.transaction;
  return {
    listSettled: async (claimedSince, afterBlock, lateMs, limit) =>
      [...tables.payments.values()]
        .filter(({ state, claimedAt }) => state === 'settled' && claimedAt >= claimedSince)
        .filter(({ settlement: at }) => at && (at.blockNumber > afterBlock || msSince(at.settledAt) < lateMs))
        .sort((a, b) => a.claimedAt.getTime() - b.claimedAt.getTime())
        .slice(0, limit)
        .map(read),
    bookReorg: async (row, owner) =>
      change(row, holdsAs(row), {
        state: 'claimed',
        leaseOwner: owner,
        leaseUntil: now(),
        reorgedAt: now(),
        settlement: undefined,
      }),
    moveSettlement: async (row, { transaction, blockNumber }: SettledAt) => {
      const settledAt = row.settlement?.settledAt ?? row.claimedAt;
      return change(row, holdsAs(row), { settlement: { transaction, blockNumber, settledAt } });
    },
  };
}

function needsReply({ state, delivery }: StoredRow): boolean {
  return state === 'claimed' || (state === 'settled' && delivery !== 'completed' && delivery !== 'refunded');
}

function hashName(hash: Uint8Array | undefined): string {
  return hash === undefined ? '' : Buffer.from(hash).toString('base64');
}
