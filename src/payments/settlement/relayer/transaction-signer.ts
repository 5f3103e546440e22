import { keccak256, parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { lowerHex } from '../../chain/eip3009.js';
import type { Hex } from '../../chain/eip3009.js';
import type { Fees } from './fee-reader.js';

/** What a transaction does. No ether is ever sent. */
export interface Call {
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
}

/** A signed transaction, to be kept before it is sent: whoever has it can send it again. */
export interface SignedTransaction {
  readonly raw: Hex;
  readonly hash: Hex;
  readonly nonce: number;
  readonly call: Call;
  readonly fees: Fees;
}

/** Signs with one key for one chain. */
export interface TransactionSigner {
  /** In lower case. */
  readonly address: Hex;
  sign(call: Call, nonce: number, fees: Fees): Promise<SignedTransaction>;
}

export function createTransactionSigner(privateKey: Hex, chainId: number): TransactionSigner {
  const account = privateKeyToAccount(privateKey);
  return {
    address: lowerHex(account.address),
    async sign(call, nonce, fees) {
      const raw = await account.signTransaction({ ...call, ...fees, nonce, chainId, type: 'eip1559' });
      return { raw, hash: keccak256(raw), nonce, call, fees };
    },
  };
}

/** What was signed, from the bytes that were kept. Throws when they are no transaction that this service signs. */
export function readSignedTransaction(raw: Hex): SignedTransaction {
  const { type, to, data = '0x', gas, nonce = 0, maxFeePerGas, maxPriorityFeePerGas = 0n } = parseTransaction(raw);
  if (type !== 'eip1559' || !to || gas === undefined || maxFeePerGas === undefined)
    throw new Error('The bytes are no transaction of the relayer');
  return { raw, hash: keccak256(raw), nonce, call: { to, data, gas }, fees: { maxFeePerGas, maxPriorityFeePerGas } };
}
