import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Knex } from 'knex';
import { concatBytes } from '../../contract/rendered.js';
import { gather } from '../../db/sql/gather.js';
import { hasCode } from '../../db/sql/has-code.js';
import { runNamed } from '../../db/sql/run-named.js';
import { fromHex, isClaimable, keyValues, paymentIdOf, paymentName, readPaymentKey, toHex } from './payment-row.js';
import { statements } from './ledger-statements.js';
import { failuresAllowed, failuresCountMs } from './ledger.js';
import type { Claim, ClaimResult, InFlight, Ledger, PaymentKey } from './ledger.js';

/** A stored body is touched at least this often while it is sold; retention must leave younger ones alone. */
const storedBodyMs = 12 * 3_600_000;
const claimWidth = 26;
const uniqueViolation = '23505';

const compress = promisify(brotliCompress);

type Won = ClaimResult & { readonly kind: 'claimed' };

/** Makes claims, many in one statement; a lost one is explained by further ones. */
export function createClaimStore(knex: Knex, find: Ledger['find'], failedGasPerHour: bigint, elapsedMs: () => number) {
  /** When this process last stored each body: it is not sent again with each claim, and retention spares it. */
  const storedBodies = new Map<string, number>();
  const claimTogether = gather({ run: claimAll, namesOf, maxItems: 100 });

  /**
   * Which of the claims won their rows. Another instance may take an identifier or a lead in the same moment: then the
   * unique index stops the whole statement, and each claim goes alone.
   */
  async function claimAll(claims: readonly Claim[]): Promise<readonly (Won | undefined)[]> {
    const bodies = await packNewBodies(claims);
    const hashes = [...bodies.keys()].map((hash) => Buffer.from(hash, 'base64'));
    const values = [
      ...columnsOf(
        claims.map((each) => [...claimValues(each), failedGasPerHour.toString()]),
        claimWidth,
      ),
      hashes,
      [...bodies.values()],
    ];
    const leads = claims.flatMap((claim, index) =>
      (claim.leads ?? []).map((each) => [index + 1, each.leadId, each.exclusiveUntil ?? null]),
    );
    let won: ReadonlyMap<string, Won>;
    try {
      const { rows } = await (claims.some((each) => each.leads !== undefined)
        ? runNamed(knex, statements.claimLeads, [...values, ...columnsOf(leads, 3)])
        : runNamed(knex, statements.claim, values));
      won = new Map(
        rows.map((row) => {
          const [claimedAt, mayShare] = [row['claimed_at'] as Date, row['may_share'] === true];
          return [paymentName(readPaymentKey(row)), { kind: 'claimed', claimedAt, mayShare }];
        }),
      );
    } catch (error) {
      if (!hasCode(error, uniqueViolation)) throw error;
      if (claims.length === 1) return [undefined];
      const results: (Won | undefined)[] = [];
      for (const each of claims) results.push(...(await claimAll([each])));
      return results;
    }
    for (const each of claims) {
      const hash = Buffer.from(each.replyHash).toString('base64');
      if (won.has(paymentName(each)) && bodies.has(hash)) storedBodies.set(hash, elapsedMs());
    }
    if (storedBodies.size > 10_000) storedBodies.clear();
    return claims.map((each) => won.get(paymentName(each)));
  }

  /** The bodies that are not stored yet, compressed off the main thread, by their hash. */
  async function packNewBodies(claims: readonly Claim[]): Promise<ReadonlyMap<string, Buffer>> {
    const fresh = new Map<string, Claim>();
    for (const each of claims) {
      const hash = Buffer.from(each.replyHash).toString('base64');
      const storedAt = storedBodies.get(hash) ?? -Infinity;
      if (elapsedMs() - storedAt >= storedBodyMs) fresh.set(hash, each);
    }
    const packed = [...fresh].map(async ([hash, { replyBody }]) => {
      const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: replyBody.byteLength };
      return [hash, await compress(concatBytes(replyBody), { params })] as const;
    });
    return new Map(await Promise.all(packed));
  }

  async function claim(claim: Claim): Promise<ClaimResult> {
    const won = await claimTogether(claim);
    if (won !== undefined) return won;
    const row = await find(claim);
    if (row !== undefined && !isClaimable(row, claim.isPaid)) return { kind: 'known', row };
    if (await isClientIdTaken({ ...claim, key: claim })) return { kind: 'id_conflict' };
    // The database may have gone back, and lack what it had: the next claim brings it again.
    storedBodies.delete(Buffer.from(claim.replyHash).toString('base64'));
    if (claim.isPaid) return { kind: 'stale' };
    const until = await blockedUntil(claim);
    if (until !== undefined) return { kind: 'payer_failed', until };
    if (await isGasBurned(claim)) return { kind: 'gas_burned' };
    // No row of its own and none of another's: the feed's version did not hold, or a lead was held.
    return (await isCovered(claim)) ? { kind: 'stale' } : { kind: 'funds_in_flight' };
  }

  /** When the payer may pay again; undefined where it may. */
  async function blockedUntil({ payer, payerGas }: Claim): Promise<Date | undefined> {
    const allowed = payerGas === undefined ? failuresAllowed.withoutCode : failuresAllowed.withCode;
    const { rows } = await runNamed(knex, statements.findFailures, [fromHex(payer), allowed]);
    const last = rows[allowed - 1]?.['failed_at'] as Date | undefined;
    return last && new Date(last.getTime() + failuresCountMs);
  }

  async function isGasBurned({ payerGas = 0n }: Claim): Promise<boolean> {
    const { rows } = await runNamed(knex, statements.sumBurned, []);
    const [burned, flying] = [BigInt(String(rows[0]?.['burned'])), BigInt(String(rows[0]?.['flying']))];
    return burned + (payerGas === 0n ? 0n : payerGas + flying) > failedGasPerHour;
  }

  async function isCovered(claim: Claim): Promise<boolean> {
    if (claim.funds === undefined) return true;
    const inFlight = await listInFlight(knex, claim);
    return inFlight.reduce((sum, { amount }) => sum + amount, claim.amount) <= claim.funds.balance;
  }

  const isClientIdTaken: Ledger['isClientIdTaken'] = async ({ key, clientIdHash }) => {
    if (clientIdHash === undefined) return false;
    const { rows } = await runNamed(knex, statements.findClientId, [...keyValues(key), Buffer.from(clientIdHash)]);
    return rows.length > 0;
  };

  return {
    claim,
    listInFlight: (claim: Claim) => listInFlight(knex, claim),
    isClientIdTaken,
    /** Any may be gone. */
    forgetBodies: () => storedBodies.clear(),
  };
}

/** One array per column, as `unnest` takes them. */
export function columnsOf(rows: readonly (readonly unknown[])[], width: number): readonly (readonly unknown[])[] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]));
}

/**
 * Claims with the same authorization, the same identifier of one payer, or the same held lead never share a statement;
 * nor do finishes of the same authorization.
 */
export function namesOf(item: PaymentKey & Partial<Pick<Claim, 'clientIdHash' | 'leads'>>): readonly string[] {
  const { payer, clientIdHash, leads = [] } = item;
  const held = leads.flatMap(({ leadId, exclusiveUntil }) => (exclusiveUntil === undefined ? [] : [`lead ${leadId}`]));
  const own = clientIdHash === undefined ? [] : [`${payer}/${Buffer.from(clientIdHash).toString('base64')}`];
  return [paymentName(item), ...own, ...held];
}

async function listInFlight(knex: Knex, claim: Claim): Promise<readonly InFlight[]> {
  const { network, asset, payer, funds } = claim;
  const values = [network, fromHex(asset), fromHex(payer), funds?.blockNumber.toString() ?? null];
  const { rows } = await runNamed(knex, statements.listInFlight, values);
  return rows.map((row) => ({
    nonce: toHex(row['nonce']),
    amount: BigInt(String(row['amount'])),
    isOpen: row['is_open'] === true,
  }));
}

function claimValues(claim: Claim): readonly unknown[] {
  return [
    ...keyValues(claim),
    claim.operationId,
    Buffer.from(claim.binding),
    claim.amount.toString(),
    fromHex(claim.payTo),
    claim.validAfter.toString(),
    claim.validBefore.toString(),
    fromHex(claim.signature),
    claim.leaseOwner,
    claim.searchFrom,
    Buffer.from(claim.replyHash),
    JSON.stringify(claim.replyHeaders),
    paymentIdOf(claim),
    claim.clientIdHash === undefined ? null : Buffer.from(claim.clientIdHash),
    claim.chainInstance,
    claim.feed.name,
    claim.feed.version,
    claim.isPaid,
    claim.payerGas?.toString() ?? null,
    claim.resource,
    claim.funds?.balance.toString() ?? null,
    claim.funds?.blockNumber.toString() ?? null,
  ];
}
