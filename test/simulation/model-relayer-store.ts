import type { Hex } from '../../src/payments/chain/eip3009.js';
import type {
  CarriedPayment,
  KeptTransaction,
  RelayerStore,
} from '../../src/payments/settlement/relayer/relayer-store.js';
import { databaseLine, keepLine, type Wire } from './wire.js';
import type { World } from './world.js';

/** A row of what relayers have signed. */
export interface KeptRow extends KeptTransaction {
  readonly relayer: Hex;
  /** Who signed it. */
  readonly owner: string;
  /** By the clock of the database. */
  readonly giveUpAtMs: number;
  readonly keptAtMs: number;
  /** When its signer heard that it is kept. */
  knownAtMs: number | undefined;
}

/** The table of what relayers have signed, behind an instance's database connection: each statement is atomic. */
export function createModelRelayerStore(world: World, wire: Wire, owner: string): RelayerStore {
  const { kept, leases, tables } = world;
  const nowMs = () => world.scheduler.now();
  const next = new Map<Hex, number>();
  const holdsKey = (relayer: Hex) => {
    const lease = leases.get(relayer);
    return lease?.owner === owner && lease.untilMs > nowMs();
  };
  const isLetGo = ({ payer, nonce }: CarriedPayment) =>
    [...tables.payments.values()].some(
      (row) => row.payer === payer && row.nonce === nonce && (row.failure !== undefined || row.state === 'released'),
    );
  const read = (row: KeptRow) => ({
    ...row,
    giveUpInMs: row.carries.some(isLetGo) ? 0 : row.giveUpAtMs - nowMs(),
  });
  return {
    async keep(relayer, transaction, claims) {
      const knownNext = next.get(relayer) ?? 0;
      const isKept = await wire.call(
        'keep',
        keepLine,
        () => {
          const isHeld = claims.every(({ payer, nonce, leaseOwner }) =>
            [...tables.payments.values()].some(
              (row) =>
                row.payer === payer &&
                row.nonce === nonce &&
                row.state === 'claimed' &&
                row.leaseOwner === leaseOwner &&
                row.leaseUntil > world.databaseNow(),
            ),
          );
          const lease = leases.get(relayer);
          if (!isHeld || lease === undefined || !holdsKey(relayer)) return false;
          if (lease.nextNonce < knownNext) return false;
          leases.set(relayer, { ...lease, nextNonce: Math.max(lease.nextNonce, transaction.nonce + 1) });
          const [keptAtMs, giveUpAtMs] = [nowMs(), nowMs() + transaction.giveUpInMs];
          kept.push({ relayer, owner, ...transaction, keptAtMs, giveUpAtMs, knownAtMs: undefined });
          return true;
        },
        transaction.carries[0],
      );
      if (isKept) next.set(relayer, Math.max(next.get(relayer) ?? 0, transaction.nonce + 1));
      const row = kept.find(({ hash }) => hash === transaction.hash);
      if (row !== undefined) row.knownAtMs = nowMs();
      return isKept;
    },
    forget: (relayer, { nonce, hash }) =>
      wire.call('forget', databaseLine, () => {
        if (!holdsKey(relayer)) throw new Error('The key is not held any more');
        const index = kept.findIndex((row) => row.relayer === relayer && row.nonce === nonce && row.hash === hash);
        if (index >= 0) kept.splice(index, 1);
      }),
    list: (relayer, fromNonce) =>
      wire.call('list kept', databaseLine, () =>
        kept
          .filter((row) => row.relayer === relayer && row.nonce >= fromNonce)
          .sort((a, b) => a.nonce - b.nonce)
          .map(read),
      ),
    nextNonce: (relayer) => next.get(relayer) ?? 0,
    findLast: (payment) =>
      wire.call(
        'find kept',
        databaseLine,
        () => {
          const last = kept.findLast(({ carries }) =>
            carries.some(({ payer, nonce }) => payer === payment.payer && nonce === payment.nonce),
          );
          const isLast = (row: KeptRow) => row.relayer === last?.relayer && row.nonce === last.nonce;
          const [first, ...others] = kept.filter(isLast).map(read);
          return first && { relayer: first.relayer, transactions: [first, ...others] };
        },
        payment,
      ),
  };
}
