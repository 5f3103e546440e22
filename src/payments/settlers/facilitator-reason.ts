/**
 * What a facilitator's code for "no" is worth. `kind`: it does not take what we announce, which no buyer can mend.
 * `rule`: a rule of its own, which no chain knows. `chain`: a claim about the authorization, which the chain can confirm.
 * `undecided`: no end at all; the transfer may still happen.
 */
export type ReasonWeight = 'kind' | 'rule' | 'chain' | 'undecided';

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
const rules = new Set(['eip6492_factory_not_allowed', 'invalid_payload', 'smart_wallet_deployment_failed']);

/**
 * Weighs a code of `invalidReason` or `errorReason`: those of the x402 v2 specification, of the official EVM scheme and of
 * Coinbase's facilitator. What is not known to be an end, such as `settlement_pending` or `unexpected_settle_error`, is
 * undecided.
 */
export function weighReason(reason: string): ReasonWeight {
  if (kinds.has(reason) || reason.startsWith('unsupported_')) return 'kind';
  if (rules.has(reason) || reason.endsWith('_kyt')) return 'rule';
  return reason === 'insufficient_funds' || reason.startsWith('invalid_') ? 'chain' : 'undecided';
}
