/**
 * What a facilitator's code for "no" is about. `terms`: it refuses our scheme, network or token, which no buyer can
 * mend. `payment`: it refuses this payment. `undecided`: nothing is decided; the transfer may still happen.
 */
export type ReasonSubject = 'terms' | 'payment' | 'undecided';

const terms = new Set([
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
 * Classifies a code of `invalidReason` or `errorReason`: those of the x402 v2 specification, of the official EVM scheme
 * and of Coinbase's facilitator. A code that is not known to be final, such as `settlement_pending` or
 * `unexpected_settle_error`, is undecided.
 */
export function classifyReason(reason: string): ReasonSubject {
  if (terms.has(reason) || reason.startsWith('unsupported_')) return 'terms';
  const isPayment = payments.has(reason) || reason.startsWith('invalid_') || reason.endsWith('_kyt');
  return isPayment ? 'payment' : 'undecided';
}
