import type { Contract, ContractOperation } from '../../src/contract/contract.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import { createProblemReply } from '../../src/operations/problem.js';
import { pino } from 'pino';
import type { Decoded } from '../../src/contract/paths.js';
import { createDecode } from '../../src/operations/decode.js';
import type { AnyHandler, HandlerInput, HandlerReply, Run } from '../../src/operations/operation.js';
import { createRun, type Sale } from '../../src/operations/run.js';
import { createChallenges, type Challenges } from '../../src/payments/gate/challenge.js';
import { createOperationGate, type GatePorts, type OperationGate } from '../../src/payments/gate/gate.js';
import type { PaymentPayload } from '../../src/payments/gate/read-payment.js';
import { toAtomicUnits } from '../../src/payments/chain/token-amount.js';
import { requirementsFor } from '../../src/payments/terms.js';
import type { WalletProof } from '../../src/payments/status/wallet-proof.js';
import { terms } from './purchase.js';

/** The inside that an instance gives the run of an operation. */
export interface Inside {
  /** Undefined for a free operation. */
  readonly sale: Sale | undefined;
  readonly handle: (input: Decoded & Pick<HandlerInput<never, never>, 'walletProofs'>) => Promise<HandlerReply>;
  readonly currentRevision: () => string | undefined;
  readonly refreshFeed: () => Promise<void>;
}

/** A real run of an operation with a replaceable inside. */
export interface Shell {
  readonly run: Run;
  inside: Inside;
}

export const contract: Contract = loadContract();
const validators = createValidators(contract);
const silent = pino({ level: 'silent' });
const spare = new Map<string, Shell[]>();

export const publicBaseUrl = 'https://deals.example.com';
/** Of all histories: the 402s of the same requests are the same. */
const challengeOf = createOnce((operationId) =>
  createChallenges({
    ...contract,
    publicBaseUrl,
    issuer: undefined,
    now: () => new Date(0),
    elapsedMs: () => 0,
  }).forOperation(operationOf(operationId), requirementsFor(terms, toAtomicUnits(priceOf(operationId)))),
);
export const challenges: Challenges = { forOperation: ({ operationId }) => challengeOf(operationId) };
/** What it remembers is pure. */
const decodeOf = createOnce((operationId) => createDecode(operationOf(operationId), validators));

/** The payment status operation that returns paid replies again. */
export const statusOperation = 'getPaymentResponse';

export const isWalletProof = validators.at<WalletProof>('#/components/schemas/WalletProof');
/** The answer where the one to a payment is not ready in time. */
export const problemReply = createProblemReply(validators);
export const isPaymentPayload = validators.at<PaymentPayload>('#/components/schemas/PaymentPayload');

/** The price of an operation in USD. @throws Error if it is free */
export function priceOf(operationId: string): string {
  const { priceUsd } = operationOf(operationId);
  if (priceUsd === undefined) throw new Error(`${operationId} is not for sale`);
  return priceUsd;
}

/** The real gate of an operation of the contract. */
export function createGate(operationId: string, ports: GatePorts): OperationGate {
  return createOperationGate(operationOf(operationId), priceOf(operationId), decodeOf(operationId), ports);
}

/**
 * The run of an operation around this inside. Creating one costs as much as the rest of a history, so the shells of
 * finished histories are reused; they remember only pure results.
 */
export function takeShell(operationId: string, inside: Inside): Shell {
  const used = spare.get(operationId)?.pop();
  if (used === undefined) return createShell(operationId, inside);
  used.inside = inside;
  return used;
}

/** Returns the shell of a history in which nothing can happen any more. */
export function giveBack(operationId: string, shell: Shell): void {
  spare.set(operationId, [...(spare.get(operationId) ?? []), shell]);
}

function createShell(operationId: string, first: Inside): Shell {
  const shell = { inside: first };
  const run = createRun({
    operation: operationOf(operationId),
    decode: decodeOf(operationId),
    handler: ((input: Decoded) => shell.inside.handle(input)) as unknown as AnyHandler,
    sale: first.sale && shellSale(shell, first.sale),
    currentRevision: () => shell.inside.currentRevision(),
    refreshFeed: () => shell.inside.refreshFeed(),
    validators,
    secrets: ['a secret of thirty-two characters'],
    log: silent,
  });
  return Object.assign(shell, { run });
}

function shellSale(shell: Pick<Shell, 'inside'>, { gate: { challenge } }: Sale): Sale {
  const inside = () => shell.inside.sale ?? missing();
  return {
    gate: {
      challenge,
      admit: (...args) => inside().gate.admit(...args),
      limitAsUnpaid: (...args) => inside().gate.limitAsUnpaid(...args),
      recall: (...args) => inside().gate.recall(...args),
    },
    charge: (...args) => inside().charge(...args),
  };
}

function missing(): never {
  throw new Error('What is for sale has a price');
}

function operationOf(operationId: string): ContractOperation {
  const operation = contract.operations.find((each) => each.operationId === operationId);
  if (operation === undefined) throw new Error(`The contract has no ${operationId}`);
  return operation;
}

/** Creates once for each operation. */
function createOnce<Part>(create: (operationId: string) => Part): (operationId: string) => Part {
  const created = new Map<string, Part>();
  return (operationId) => {
    const part = created.get(operationId) ?? create(operationId);
    created.set(operationId, part);
    return part;
  };
}
