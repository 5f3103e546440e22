import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { ContractOperation } from '../../src/contract/contract.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { concatBytes } from '../../src/contract/rendered.js';
import { createValidators } from '../../src/contract/validators.js';
import type { AnyHandler, HandlerReply, OperationReply, OperationRequest } from '../../src/operations/operation.js';
import { sealOperation, type SealedOperation, type SealPorts } from '../../src/operations/seal-operation.js';
import { createChallenges } from '../../src/payments/gate/challenge.js';
import type { PaidCall } from '../../src/limits/paid-calls.js';
import type { OperationGate } from '../../src/payments/gate/gate.js';
import type { VerifiedPayment } from '../../src/payments/gate/verified-payment.js';
import type { ProvenReply } from '../../src/payments/ledger/payment-machine.js';
import { requirementsFor } from '../../src/payments/gate/terms.js';
import { networks } from '../../src/payments/chain/networks.js';

const contract = loadContract();
const validators = createValidators(contract);

export function operationOf(operationId: string): ContractOperation {
  const operation = contract.operations.find((each) => each.operationId === operationId);
  assert.ok(operation, operationId);
  return operation;
}

/** Seals an operation of the contract around any handler; `errors` is what the operator's log is told. */
export function seal(
  operationId: string,
  handler: (input: unknown) => HandlerReply | Promise<HandlerReply>,
  changes: Partial<SealPorts> = {},
): { readonly run: SealedOperation; readonly errors: Record<string, unknown>[] } {
  const errors: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'error', base: null },
    { write: (line: string) => void errors.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const run = sealOperation({
    operation: operationOf(operationId),
    handler: handler as AnyHandler,
    gate: undefined,
    currentRevision: undefined,
    refreshFeed: async () => undefined,
    validators,
    secrets: ['a secret of thirty-two characters'],
    log,
    ...changes,
  });
  return { run, errors };
}

/** A request without parameters and payment. */
export function requestOf(changes: Partial<OperationRequest> = {}): OperationRequest {
  return {
    query: '',
    path: {},
    paymentSignatures: [],
    walletProofs: [],
    ifNoneMatch: undefined,
    requestId: 'request1',
    address: '192.0.2.1',
    headOnly: false,
    isAbandoned: () => false,
    ...changes,
  };
}

/** The JSON of a reply. */
export function jsonOf(reply: OperationReply): Record<string, unknown> {
  const { body } = reply;
  assert.ok(body !== undefined);
  const text = typeof body === 'string' ? body : Buffer.from(concatBytes(body)).toString('utf8');
  return JSON.parse(text) as Record<string, unknown>;
}

/** A gate that admits whoever shows anything, and writes down what it charged for. */
export function createOpenGate(
  operationId: string,
  changes: Partial<OperationGate> = {},
): OperationGate & { readonly charged: ProvenReply[] } {
  const operation = operationOf(operationId);
  const [, , network] = networks;
  assert.ok(network);
  const requirements = requirementsFor({ network, payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }, 50_000n);
  const resourceUrl = `https://deals.example.com${operation.path}`;
  const { document } = contract;
  const challengeAt = createChallenges({ operation, document, requirements, resourceUrl, issuer: undefined });
  const charged: ProvenReply[] = [];
  const call: PaidCall = { end: () => undefined, sell: (sale) => sale() };
  return {
    charged,
    challenge: () => challengeAt(new Date()),
    admit: async ({ paymentSignatures }) =>
      // No test here looks into the verified payment: it only travels.
      paymentSignatures.length === 0 ? { kind: 'unpaid' } : { kind: 'admitted', call, verified: {} as VerifiedPayment },
    countRefused: () => undefined,
    recall: async () => undefined,
    sellOnce: (_verified, sale) => sale(),
    async charge(_verified, reply) {
      charged.push(reply);
      return { headers: reply.headers, body: reply.body, contentKey: 'content', onDelivery: () => undefined };
    },
    ...changes,
  };
}
