import type { Hex } from '../../chain/eip3009.js';
import { transferGas } from './encode-settlement.js';
import { createFeeReader } from './fee-reader.js';

/**
 * What an account has for gas. `worthWei`: of one settlement, as a node asks for it before: its whole gas at the
 * highest fee. Rejects when the node is away, and with a FeesTooHighError.
 */
export async function readGasLeft(
  chain: Pick<Parameters<typeof createFeeReader>[0], 'client' | 'network'>,
  address: Hex,
  capWei: bigint,
): Promise<{ readonly balanceWei: bigint; readonly worthWei: bigint; readonly settlementsLeft: number }> {
  const [balanceWei, { maxFeePerGas }] = await Promise.all([
    chain.client.getBalance({ address }),
    createFeeReader({ ...chain, capWei, nowMs: () => 0 }).read(),
  ]);
  const worthWei = transferGas * maxFeePerGas;
  return { balanceWei, worthWei, settlementsLeft: Number(balanceWei / worthWei) };
}
