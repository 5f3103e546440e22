import { createHash } from 'node:crypto';
import type { Hex } from '../chain/eip3009.js';
import type { Delivery, Failure, PaymentKey, PaymentRow, PaymentState, Settlement } from './ledger.js';

/** The key's values in the order of the primary key, as the database keeps them. */
export function keyValues(key: PaymentKey): readonly [string, Buffer, Buffer, Buffer] {
  return [key.network, fromHex(key.asset), fromHex(key.payer), fromHex(key.nonce)];
}

/** The key as one text, for look-ups in memory and for the public id. */
export function paymentName({ network, asset, payer, nonce }: PaymentKey): string {
  return `${network}/${asset}/${payer}/${nonce}`;
}

/**
 * The public id of a payment: SHA-256 over the text `network/asset/payer/nonce`, all in lower case, hex with 0x.
 * The signer can compute it before sending the payment; it reveals neither reply nor signature.
 */
export function paymentIdOf(key: PaymentKey): Buffer {
  return createHash('sha256').update(paymentName(key)).digest();
}

/**
 * The id of a transfer that bought nothing: its payment's, where an authorization names one; else SHA-256 over
 * `network/asset/transaction/log index`.
 */
export function orphanIdOf(transfer: {
  readonly network: string;
  readonly asset: Hex;
  readonly payer: Hex;
  readonly nonce: Hex | undefined;
  readonly transaction: Hex;
  readonly logIndex: number;
}): Buffer {
  const { network, asset, payer, nonce, transaction, logIndex } = transfer;
  if (nonce !== undefined) return paymentIdOf({ network, asset, payer, nonce });
  return createHash('sha256').update(`${network}/${asset}/${transaction}/${logIndex}`).digest();
}

/** The public id as it is written: hex with 0x. */
export function publicPaymentId(key: PaymentKey): string {
  return `0x${paymentIdOf(key).toString('hex')}`;
}

export function fromHex(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}

/** Reads the key of a row of the `payments` table. */
export function readPaymentKey(row: Readonly<Record<string, unknown>>): PaymentKey {
  return {
    network: String(row['network']),
    asset: toHex(row['asset']),
    payer: toHex(row['payer']),
    nonce: toHex(row['nonce']),
  };
}

/** A payment that was rebuilt from the chain and has bought nothing since: its payer may still claim it, once. */
export function isRebuiltUnsold({ binding }: Pick<PaymentRow, 'binding'>): boolean {
  return binding === undefined;
}

/**
 * Whether a claim may take the row. A row whose transfer failed on the chain, or that was rebuilt and not refunded,
 * needs proof of payment (`isPaid`).
 */
export function isClaimable(
  row: Pick<PaymentRow, 'state' | 'failure' | 'binding' | 'delivery'>,
  isPaid: boolean,
): boolean {
  if (row.state === 'released') return isPaid || row.failure === undefined;
  return isPaid && isRebuiltUnsold(row) && row.delivery !== 'refunded';
}

/** Reads a row of the `payments` table. */
export function readPaymentRow(row: Readonly<Record<string, unknown>>): PaymentRow {
  return {
    ...readPaymentKey(row),
    state: row['state'] as PaymentState,
    operationId: String(row['operation_id']),
    resource: String(row['resource']),
    binding: (row['binding'] as Buffer | null) ?? undefined,
    amount: BigInt(String(row['amount'])),
    payTo: toHex(row['pay_to']),
    validAfter: BigInt(String(row['valid_after'] ?? 0)),
    validBefore: BigInt(String(row['valid_before'] ?? 0)),
    signature: row['signature'] === null ? '0x' : toHex(row['signature']),
    claimedAt: row['claimed_at'] as Date,
    leaseOwner: String(row['lease_owner']),
    isLeased: row['is_leased'] === true,
    searchFrom: row['search_from'] as Date,
    clientIdHash: row['client_id_hash'] === null ? undefined : (row['client_id_hash'] as Buffer),
    chainInstance: String(row['chain_instance']),
    settlement: readSettlement(row),
    reorgedAt: (row['reorged_at'] as Date | null) ?? undefined,
    failure: readFailure(row),
    delivery: row['delivery'] as Delivery,
    replyHash: (row['reply_hash'] as Buffer | null) ?? Buffer.alloc(0),
    replyHeaders: JSON.parse(String(row['reply_headers'] ?? '{}')) as Record<string, string>,
  };
}

function readFailure(row: Readonly<Record<string, unknown>>): Failure | undefined {
  const failedAt = row['failed_at'] as Date | null;
  if (failedAt === null) return undefined;
  return { failedAt, gas: BigInt(String(row['failed_gas'])), burnedShared: row['burned_shared'] === true };
}

function readSettlement(row: Readonly<Record<string, unknown>>): Settlement | undefined {
  if (row['settle_transaction'] === null) return undefined;
  return {
    transaction: toHex(row['settle_transaction']),
    blockNumber: BigInt(String(row['settle_block'])),
    settledAt: row['settled_at'] as Date,
  };
}

/** The text of a `bytea` column. */
export function toHex(bytes: unknown): Hex {
  return `0x${(bytes as Buffer).toString('hex')}`;
}
