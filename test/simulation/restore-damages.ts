import type { UnexplainedTransfer } from '../../src/payments/audit/audit-store.js';
import type { ChainClient } from '../../src/payments/chain/clients.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { paymentName } from '../../src/payments/ledger/payment-row.js';
import { rebuildRow } from './model-audit.js';
import type { Variant } from './variant.js';

/** What a block took before chains made several a second. */
const secondsPerBlock = 2;

/** Machines that take an older copy of the ledger for the whole of it, or write into it what does not belong there. */
export const restoreDamages: readonly Variant[] = [
  {
    name: 'sells at once over a restored ledger',
    restoredLedger(ledger) {
      let isKnown = false;
      return {
        ...ledger,
        isKnown: () => isKnown,
        problem: () => undefined,
        compare(counts, keys) {
          isKnown = true;
          return keys.some(({ relayer, nextNonce }) => (counts.get(relayer) ?? 0) > nextNonce);
        },
      };
    },
  },
  {
    name: 'does not notice that the database goes back',
    restoredLedger: (ledger) => ({ ...ledger, wentBack: () => undefined }),
  },
  { name: 'does not rebuild a restored ledger', rebuilds: false },
  {
    name: 'sells leads to one buyer whose sales a restored ledger may have lost',
    leadHolds: (holds) => ({ ...holds, exclusiveFrom: () => undefined }),
  },
  {
    name: 'rebuilds what the ledger has',
    audit({ reader, store, refunds }, tables) {
      const found: UnexplainedTransfer[] = [];
      return {
        refunds,
        reader: { ...reader, findByKeys: async () => [] },
        store: {
          ...store,
          async keepRange(scope, range) {
            found.push(...range.unexplained);
            await store.keepRange(scope, range);
          },
          async rebuildSome(scope, operations, limit, at) {
            const twice = found.splice(0).map((each) => rebuildRow(each, scope, ''));
            for (const row of twice) if (tables.payments.has(paymentName(row))) tables.put(row);
            return store.rebuildSome(scope, operations, limit, at);
          },
        },
      };
    },
  },
  {
    name: 'rebuilds what strangers have sent',
    audit: (audit) => ({
      ...audit,
      store: {
        ...audit.store,
        keepRange: (scope, range) =>
          audit.store.keepRange(scope, { ...range, settlers: range.unexplained.map(({ sender }) => sender) }),
      },
    }),
  },
  {
    name: 'counts its nonces by the receipts that it has seen',
    client(client) {
      const seen = new Set<Hex>();
      const counted: Partial<ChainClient> = {
        getTransactionCount: async () => seen.size,
        async getTransactionReceipt(asked) {
          const receipt = await client.getTransactionReceipt(asked);
          seen.add(receipt.transactionHash);
          return receipt;
        },
        async sendRawTransactionSync(asked) {
          const receipt = await client.sendRawTransactionSync(asked);
          seen.add(receipt.transactionHash);
          return receipt;
        },
      };
      return { ...client, ...counted };
    },
  },
  {
    name: 'takes a time for a number of blocks',
    client(client) {
      const blockAt = async (time: Date) => {
        const { number, timestamp } = await client.getBlock();
        const blocks = Math.ceil((Number(timestamp) - time.getTime() / 1000) / secondsPerBlock);
        return number - BigInt(blocks);
      };
      return { ...client, times: { ...client.times, blockAt } };
    },
  },
];
