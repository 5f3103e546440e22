import { createHash, randomBytes } from 'node:crypto';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { wholeBytes } from '../../../src/contract/rendered.js';
import type { Claim, SettledAt } from '../../../src/payments/ledger/ledger.js';

/** Where the clocks of these tests stand at first. */
export const claimedAt = new Date('2026-03-08T12:00:00.000Z');

/** A moment so many seconds later. */
export function after(seconds: number): Date {
  return new Date(claimedAt.getTime() + seconds * 1000);
}

/** A claim on a fresh authorization by `owner`, for version 7 of the deals feed. */
export function buildClaim(changes: Partial<Claim> & { readonly text?: string } = {}): Claim {
  const { text = '[{"id":1}]', ...fields } = changes;
  const body = Buffer.from(text);
  return {
    network: 'eip155:31337',
    asset: randomHex(20),
    payer: randomHex(20),
    nonce: randomHex(32),
    operationId: 'listDeals',
    resource: '/api/deals?state=OH',
    binding: randomBytes(32),
    amount: 50_000n,
    payTo: randomHex(20),
    validAfter: 0n,
    validBefore: 1_772_971_500n,
    signature: randomHex(65),
    leaseOwner: 'owner',
    searchFrom: after(-1_800),
    clientIdHash: undefined,
    chainInstance: 'test',
    replyHash: createHash('sha256').update(body).digest(),
    replyHeaders: { ETag: '"tag"', 'Feed-Version': '7' },
    replyBody: wholeBytes(body),
    feed: { name: 'deals', version: 7 },
    isPaid: false,
    payerGas: undefined,
    funds: undefined,
    ...fields,
  };
}

/** A settlement in a transaction of its own unless one is named. */
export function buildSettlement(transaction: Hex = randomHex(32)): SettledAt {
  return { transaction, blockNumber: 13n };
}

export function randomHex(bytes: number): Hex {
  return `0x${randomBytes(bytes).toString('hex')}`;
}
