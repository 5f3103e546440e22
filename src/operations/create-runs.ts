import type { Contract, ContractOperation } from '../contract/contract.js';
import { OperatorError, type ServiceError } from '../errors.js';
import { createOperationGate, type GatePorts } from '../payments/gate/gate.js';
import { createRecall, type RecallPorts } from '../payments/gate/recall.js';
import type { AnyHandler, ParameterRules, PreviewAsked, ReadRevision, Run } from './operation.js';
import { createDecode } from './decode.js';
import { createRun, type RunPorts } from './run.js';

export interface RunsPorts extends Pick<RunPorts, 'validators' | 'refreshFeed' | 'secrets' | 'log'> {
  readonly contract: Contract;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** By operationId; most operations have none. */
  readonly rules: Readonly<Record<string, ParameterRules | undefined>>;
  readonly gate: Omit<GatePorts, 'recall'> & RecallPorts;
  /** The version of an operation's inputs. Undefined: the ETag is a digest of the body. */
  readonly revisionOf: (operation: ContractOperation) => ReadRevision | undefined;
  /** The preview in the 402 of an operation; undefined without one. */
  readonly previewOf?: (operation: ContractOperation) => PreviewAsked | undefined;
  /** The check of an operation's feeds, see `RunPorts`; undefined for an operation without a feed. */
  readonly findUnpublishedOf?: (operation: ContractOperation) => (() => ServiceError | undefined) | undefined;
}

/**
 * Creates the run of every operation of the contract, by operationId.
 *
 * @throws OperatorError naming operations without a handler and handlers without an operation.
 */
export function createRuns(ports: RunsPorts): ReadonlyMap<string, Run> {
  const { contract, handlers } = ports;
  const declared = new Set(contract.operations.map(({ operationId }) => operationId));
  const missing = [...declared].filter((operationId) => handlers[operationId] === undefined);
  const unknown = Object.keys(handlers).filter((operationId) => !declared.has(operationId));
  if (missing.length + unknown.length > 0) {
    throw new OperatorError(
      `Contract and handlers differ. Without a handler: ${missing.join(', ') || 'none'}. Not in the contract: ${unknown.join(', ') || 'none'}.`,
    );
  }
  const gate = { ...ports.gate, recall: createRecall(ports.gate) };
  return new Map(
    contract.operations.map((operation) => {
      const handler = handlers[operation.operationId];
      if (handler === undefined) throw new Error(`${operation.operationId} has no handler`);
      const decode = createDecode(operation, ports.validators, ports.rules[operation.operationId]?.faultsOf);
      return [
        operation.operationId,
        createRun({
          ...ports,
          operation,
          decode,
          handler,
          sale:
            operation.priceUsd === undefined
              ? undefined
              : {
                  gate: createOperationGate(operation, operation.priceUsd, decode, gate),
                  charge: gate.machine.charge,
                },
          rules: ports.rules[operation.operationId],
          preview: ports.previewOf?.(operation),
          currentRevision: ports.revisionOf(operation),
          findUnpublished: ports.findUnpublishedOf?.(operation),
        }),
      ];
    }),
  );
}
