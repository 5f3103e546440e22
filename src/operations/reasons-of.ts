import type { ContractOperation } from '../contract/contract.js';
import { reasons, type Reason } from '../errors.js';
import { problemKindOf } from './problem.js';

/** Which operations give a reason, of those that declare its status; a reason without a rule applies to all. */
const appliesTo: Partial<Readonly<Record<Reason, (operation: ContractOperation) => boolean>>> = {
  missing_parameter: ({ parameters }) => parameters.some((each) => each.required && each.in === 'query'),
  invalid_deal_id: ({ path }) => path.includes('{id}'),
  placeholder_not_replaced: ({ path }) => path.includes('{id}'),
  unknown_deal: ({ path }) => path.includes('{id}'),
  address_not_parsed: takes('address'),
  no_match: takes('address'),
  no_records_match: (operation) => isPriced(operation) && noMatchReasonOf(operation) === undefined,
  no_exclusive_lead_available: (operation) => noMatchReasonOf(operation) === 'no_exclusive_lead_available',
  no_events: (operation) => noMatchReasonOf(operation) === 'no_events',
  outside_coverage: (operation) => isPriced(operation) && takes('state')(operation),
  // No operation says so any more: what is suppressed is answered like what never was.
  suppressed: () => false,
  unknown_payment: ({ path }) => path.includes('{payment_id}'),
  not_found: ({ path }) => /\{(token|asset)\}|\/response$/.test(path),
  payment_required: isPriced,
  payment_malformed: isPriced,
  payment_invalid: isPriced,
  payment_expired: isPriced,
  payment_amount_mismatch: isPriced,
  payment_wrong_resource: isPriced,
  payment_id_conflict: isPriced,
  settlement_failed: isPriced,
  settlement_unknown: isPriced,
  facilitator_unavailable: isPriced,
  chain_unavailable: isPriced,
  cursor_expired: ({ path, parameters }) => path.includes('{token}') || takes('cursor')({ parameters }),
  reply_suppressed: (operation) => isPriced(operation) || operation.path.endsWith('/response'),
  not_yet_published: ({ path }) => path.startsWith('/api/') && !path.includes('{payment_id}'),
};

/** The reasons of the errors that an operation can give, in the order of the contract. */
export function reasonsOf(operation: ContractOperation): readonly Reason[] {
  return reasons.filter(
    (reason) => operation.replies.has(problemKindOf(reason).status) && (appliesTo[reason]?.(operation) ?? true),
  );
}

function isPriced({ priceUsd }: ContractOperation): boolean {
  return priceUsd !== undefined;
}

function takes(name: string): (operation: Pick<ContractOperation, 'parameters'>) => boolean {
  return ({ parameters }) => parameters.some((parameter) => parameter.name === name);
}

/** What an operation says in place of `no_records_match`. */
function noMatchReasonOf({ operationId, path, parameters }: ContractOperation): Reason | undefined {
  if (operationId === 'buyExclusiveLead') return 'no_exclusive_lead_available';
  if (takes('cursor')({ parameters })) return 'no_events';
  if (path.includes('{id}')) return 'unknown_deal';
  return takes('address')({ parameters }) ? 'no_match' : undefined;
}
