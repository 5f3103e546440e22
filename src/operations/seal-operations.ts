import type { Contract, ContractOperation } from '../contract/contract.js';
import type { Secrets } from '../secrets/secrets.js';
import type { Validators } from '../contract/validators.js';
import { OperatorError, type ServiceError } from '../errors.js';
import type { Log } from '../log.js';
import { createOperationGate, type GatePorts } from '../payments/gate/gate.js';
import type { PriceList } from '../payments/gate/price-list.js';
import type { AnyHandler, ParameterRules, Revision } from './operation.js';
import { sealOperation, type SealedOperation } from './seal-operation.js';

export interface SealAllPorts {
  readonly contract: Contract;
  readonly validators: Validators;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** By operationId; most operations have none. */
  readonly rules: Readonly<Record<string, ParameterRules | undefined>>;
  readonly prices: PriceList;
  readonly gate: GatePorts;
  /** What an operation's reply depends on beside its parameters; undefined where only the reply's bytes tell. */
  readonly revisionOf: (operation: ContractOperation) => Revision | undefined;
  /** The 503 of an operation whose feed was never published; undefined for what needs no feed. */
  readonly unpublishedOf?: (operation: ContractOperation) => (() => ServiceError | undefined) | undefined;
  /** Loads the published feed when a claim found that it has moved. */
  readonly refreshFeed: () => Promise<void>;
  readonly secrets: Secrets;
  readonly log: Log;
}

/**
 * Seals every operation of the contract.
 *
 * @throws OperatorError naming operations without a handler and handlers without an operation.
 */
export function sealOperations(ports: SealAllPorts): ReadonlyMap<string, SealedOperation> {
  const { contract, handlers } = ports;
  const declared = new Set(contract.operations.map(({ operationId }) => operationId));
  const missing = [...declared].filter((operationId) => handlers[operationId] === undefined);
  const unknown = Object.keys(handlers).filter((operationId) => !declared.has(operationId));
  if (missing.length + unknown.length > 0) {
    throw new OperatorError(
      `Contract and handlers differ. Without a handler: ${missing.join(', ') || 'none'}. Not in the contract: ${unknown.join(', ') || 'none'}.`,
    );
  }
  return new Map(
    contract.operations.map((operation) => {
      const price = ports.prices.get(operation.operationId);
      const handler = handlers[operation.operationId];
      if (handler === undefined) throw new Error(`${operation.operationId} has no handler`);
      return [
        operation.operationId,
        sealOperation({
          ...ports,
          operation,
          handler,
          gate: price === undefined ? undefined : createOperationGate(operation, price, ports.gate),
          rules: ports.rules[operation.operationId],
          currentRevision: ports.revisionOf(operation),
          findUnpublished: ports.unpublishedOf?.(operation),
        }),
      ];
    }),
  );
}
