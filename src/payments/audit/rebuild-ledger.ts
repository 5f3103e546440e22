import { fromAtomicUnits, toAtomicUnits } from '../chain/token-amount.js';
import { knownPayerMs } from '../ledger/ledger.js';
import { conclude, readAgain, readOn, type AuditPorts, type AuditReport } from './audit-ledger.js';

/** What was written, and how everything stands after it. */
export interface RebuildReport extends AuditReport {
  readonly written: number;
  readonly writtenUsd: string;
}

export interface RebuildPorts extends Omit<AuditPorts, 'onProgress'> {
  /** The operation of each price that exactly one has. */
  readonly operations: ReadonlyMap<bigint, string>;
  /** Called after each range of blocks and each statement; throws to stop. What was written until then is whole. */
  readonly onProgress?: ((progress: Readonly<Record<string, number>>) => void) | undefined;
  /** What one statement writes. Default 500. */
  readonly rowsPerStatement?: number;
}

/**
 * Writes what a restored ledger lacks, from the chain: a settled payment for each lost sale, with payer, nonce, amount,
 * transaction and time, without what was bought. Audits up to the newest finalized block first. It may be killed at any
 * moment and run again; a further run writes nothing. Source: docs/decisions/payments.md.
 *
 * @param since looks again at audited blocks from then on, in case that the ledger has lost payments since their audit
 */
export async function rebuildLedger(ports: RebuildPorts, since?: Date): Promise<RebuildReport> {
  const { store, history, operations, now, onProgress, rowsPerStatement = 500 } = ports;
  if (since !== undefined) await readAgain(ports, since);
  // An empty ledger is rebuilt for as long as a payer is known.
  const counts = await readOn(ports, since ?? new Date(now().getTime() - knownPayerMs));
  let written = 0;
  let amount = 0n;
  for (;;) {
    const amounts = await store.rebuildSome(history.scope, operations, rowsPerStatement, now());
    if (amounts.length === 0) break;
    written += amounts.length;
    amount = amounts.reduce((sum, each) => sum + each, amount);
    onProgress?.({ written });
  }
  return { written, writtenUsd: fromAtomicUnits(amount), ...(await conclude(counts, ports)) };
}

/** The operation of each price that exactly one has, by atomic units. */
export function operationsByPrice(
  operations: readonly { readonly operationId: string; readonly priceUsd: string | undefined }[],
): ReadonlyMap<bigint, string> {
  const priced = operations.flatMap(({ operationId, priceUsd }) =>
    priceUsd === undefined ? [] : [[toAtomicUnits(priceUsd), operationId] as const],
  );
  return new Map(priced.filter(([price]) => priced.filter((each) => each[0] === price).length === 1));
}
