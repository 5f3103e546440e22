import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { ContractOperation } from '../../src/contract/contract.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { concatBytes } from '../../src/contract/rendered.js';
import { createValidators } from '../../src/contract/validators.js';
import { createDecode } from '../../src/operations/decode.js';
import type {
  AnyHandler,
  HandlerReply,
  OperationReply,
  OperationRequest,
  Run,
} from '../../src/operations/operation.js';
import { createRun, type RunPorts, type Sale } from '../../src/operations/run.js';
import { createChallenges } from '../../src/payments/gate/challenge.js';
import type { PaidCall } from '../../src/limits/paid-calls.js';
import type { VerifiedPayment } from '../../src/payments/verified-payment.js';
import type { ProvenReply } from '../../src/payments/build-claim.js';
import type { Charge } from '../../src/payments/payment-machine.js';
import { requirementsFor } from '../../src/payments/terms.js';
import { networks } from '../../src/wire/networks.js';

const contract = loadContract();
const validators = createValidators(contract);

export function operationOf(operationId: string): ContractOperation {
  const operation = contract.operations.find((each) => each.operationId === operationId);
  assert.ok(operation, operationId);
  return operation;
}

/** The run of an operation of the contract with any handler; `errors` is what the operator's log is told. */
export function createTestRun(
  operationId: string,
  handler: (input: unknown) => HandlerReply | Promise<HandlerReply>,
  changes: Partial<RunPorts> = {},
): { readonly run: Run; readonly errors: Record<string, unknown>[] } {
  const errors: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'error', base: null },
    { write: (line: string) => void errors.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const run = createRun({
    operation: operationOf(operationId),
    decode: createDecode(operationOf(operationId), validators),
    handler: handler as AnyHandler,
    sale: undefined,
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

/** A sale whose gate admits whoever shows anything; it writes down what it charged for. */
export function createOpenSale(
  operationId: string,
  charge?: () => Promise<Charge>,
): Sale & { readonly charged: ProvenReply[] } {
  const operation = operationOf(operationId);
  const [, , network] = networks;
  assert.ok(network);
  const requirements = requirementsFor({ network, payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }, 50_000n);
  const publicBaseUrl = 'https://deals.example.com';
  const challenges = createChallenges({
    ...contract,
    publicBaseUrl,
    issuer: undefined,
    now: () => new Date(0),
    elapsedMs: () => 0,
  });
  const charged: ProvenReply[] = [];
  const call: PaidCall = { end: () => undefined, fail: () => undefined };
  return {
    charged,
    gate: {
      challenge: challenges.forOperation(operation, requirements),
      admit: async ({ paymentSignatures }) =>
        // No test here looks into the verified payment: it only travels.
        paymentSignatures.length === 0
          ? { kind: 'unpaid' }
          : { kind: 'admitted', call, payment: {} as VerifiedPayment },
      limitAsUnpaid: () => undefined,
      recall: async () => undefined,
    },
    async charge(_payment, reply) {
      if (charge !== undefined) return charge();
      charged.push(reply);
      const { headers, body } = reply;
      const about = () => ({ payer: '0x1', paymentId: '0x2', transaction: '0x3' });
      return { outcome: 'settled', reply: { headers, body, cacheKey: 'content', about, onDelivery: () => undefined } };
    },
  };
}
