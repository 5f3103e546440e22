/**
 * What a facilitator's code for "no" is about. `kind`: it does not take what we announce, which no buyer can mend.
 * `payment`: it does not take this payment. `undecided`: it has not made up its mind; the transfer may still happen.
 */
export type ReasonWeight = 'kind' | 'payment' | 'undecided';

const kinds = new Set([
  'asset_not_deployed_contract',
  'invalid_exact_evm_eip3009_not_supported',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_network_mismatch',
  'invalid_exact_evm_scheme',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
  'invalid_network',
  'invalid_payment_requirements',
  'invalid_scheme',
  'invalid_x402_version',
]);
const payments = new Set(['eip6492_factory_not_allowed', 'insufficient_funds', 'smart_wallet_deployment_failed']);

/**
 * Weighs a code of `invalidReason` or `errorReason`: those of the x402 v2 specification, of the official EVM scheme and
 * of Coinbase's facilitator. What is not known to be an end, such as `settlement_pending` or `unexpected_settle_error`,
 * is undecided.
 */
export function weighReason(reason: string): ReasonWeight {
  if (kinds.has(reason) || reason.startsWith('unsupported_')) return 'kind';
  const isPayment = payments.has(reason) || reason.startsWith('invalid_') || reason.endsWith('_kyt');
  return isPayment ? 'payment' : 'undecided';
}
