import { keccak256, serializeTransaction } from 'viem';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { TransactionSigner } from '../../src/payments/settlement/relayer/transmitter.js';
import { readAggregate, readTransfer } from './calldata.js';
import type { ModelChain } from './model-chain.js';
import { terms } from './purchase.js';

/** Signs without a curve: the bytes are those of a transaction, and the signature names its account. */
export function createModelSigner({ pool }: ModelChain, address: Hex): TransactionSigner {
  const { chainId, asset } = terms.network;
  const signature = { r: `0x${'1'.repeat(24)}${address.slice(2)}`, s: `0x${'2'.repeat(64)}`, yParity: 0 } as const;
  return {
    address,
    async sign(call, nonce, fees) {
      const raw = serializeTransaction({ ...call, ...fees, nonce, chainId, type: 'eip1559' }, signature);
      const hash = keccak256(raw);
      const calls = call.data === '0x' ? [] : call.to === asset ? [call.data] : readAggregate(call.data);
      const { maxFeePerGas } = fees;
      const authorizations = calls.map(readTransfer);
      pool.signed.set(raw, { raw, hash, from: address, nonce, maxFeePerGas, gas: call.gas, authorizations });
      return { raw, hash, nonce, call, fees };
    },
  };
}
