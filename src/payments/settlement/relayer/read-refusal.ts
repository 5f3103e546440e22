import { decodeAbiParameters } from 'viem';
import type { Hex } from '../../chain/eip3009.js';

/** Why the token refuses a transfer: a code of x402, or `nonce_used`, and a sentence for the buyer. */
export interface Refusal {
  readonly reason: string;
  readonly detail: string;
}

/** USDC's own revert texts (FiatTokenV2_2) and what they mean to x402. */
const refusals: readonly (readonly [text: RegExp, reason: string, detail: string])[] = [
  [
    /authorization is not yet valid/,
    'invalid_exact_evm_payload_authorization_valid_after',
    'The authorization is not valid yet.',
  ],
  [
    /authorization is expired/,
    'invalid_exact_evm_payload_authorization_valid_before',
    'The authorization has expired.',
  ],
  [/authorization is used or canceled/, 'nonce_used', 'The nonce of the authorization is used or was cancelled.'],
  [/invalid signature/, 'invalid_exact_evm_payload_signature', 'The token does not accept the signature.'],
  [/transfer amount exceeds balance/, 'insufficient_funds', 'The payer does not hold enough of the token.'],
  [/Pausable: paused/, 'invalid_transaction_state', 'The token is paused.'],
  [/account is blacklisted/, 'invalid_transaction_state', 'The token has blocked the payer or the receiver.'],
];

/** The selector of Solidity's Error(string). */
const errorSelector = '0x08c379a0';

/** Reads the token's revert data. Undefined when the token gave no reason, as when the gas ran out. */
export function readRefusal(revertData: Hex): Refusal | undefined {
  if (revertData === '0x') return undefined;
  const text = decodeText(revertData);
  for (const [pattern, reason, detail] of refusals) if (pattern.test(text)) return { reason, detail };
  return { reason: 'invalid_transaction_state', detail: 'The token refuses the transfer.' };
}

function decodeText(revertData: Hex): string {
  if (!revertData.startsWith(errorSelector)) return '';
  try {
    return decodeAbiParameters([{ type: 'string' }], `0x${revertData.slice(errorSelector.length)}`)[0];
  } catch {
    return '';
  }
}
