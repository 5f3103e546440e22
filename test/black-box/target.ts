import assert from 'node:assert/strict';
import type { Contract, ContractDocument, ContractOperation } from '../../src/contract/contract.js';
import { readOperations } from '../../src/contract/read-operations.js';
import { createValidators, type Validators } from '../../src/contract/validators.js';

/** A server that is known by its address alone, held against the contract that it publishes itself. */
export interface Target {
  readonly contract: Contract;
  /** By operationId, the statuses that were seen. */
  readonly seen: ReadonlyMap<string, ReadonlySet<number>>;
  /** Throws where the contract has no such operation. */
  findOperation(operationId: string): ContractOperation;
  /**
   * Asks an operation, and holds the answer against the contract: status, media type and body; of an error, that
   * nothing was billed. Throws an AssertionError that says what was broken.
   */
  ask(operation: ContractOperation, path: string, request?: TargetRequest): Promise<Answer>;
}

export interface TargetRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty where there is none. */
  readonly text: string;
  /** The parsed JSON; undefined where the body is none. */
  readonly body: unknown;
}

/** A settlement takes seconds. */
const patienceMs = 30_000;

/** Statuses that a contract declares for every operation and no single operation. */
const ofAll = new Set([204, 404, 405]);

/** Reads the contract of a server. Throws where it has none that can be read. */
export async function openTarget(baseUrl: string): Promise<Target> {
  const contract = await readContract(baseUrl);
  const validators = createValidators(contract);
  const seen = new Map<string, Set<number>>(contract.operations.map(({ operationId }) => [operationId, new Set()]));
  return {
    contract,
    seen,
    findOperation(operationId) {
      const operation = contract.operations.find((each) => each.operationId === operationId);
      if (operation === undefined) throw new Error(`The contract has no operation ${operationId}.`);
      return operation;
    },
    async ask(operation, path, { method = 'GET', headers = {}, body } = {}) {
      const response = await fetch(baseUrl + path, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(patienceMs),
        ...(body === undefined ? {} : { body }),
      });
      const answer = await readAnswer(response);
      assertKept(validators, operation, method, answer);
      seen.get(operation.operationId)?.add(answer.status);
      return answer;
    },
  };
}

async function readContract(baseUrl: string): Promise<Contract> {
  const response = await fetch(`${baseUrl}/openapi.json`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${baseUrl}/openapi.json answers ${response.status}.`);
  const document = JSON.parse(text) as ContractDocument;
  return { text, document, operations: readOperations(document) };
}

async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = /^application\/([a-z]+\+)?json/.test(headers.get('content-type') ?? '') && text !== '';
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}

function assertKept(validators: Validators, operation: ContractOperation, method: string, answer: Answer): void {
  const { status, headers, text, body } = answer;
  const what = `${method} ${operation.path} answered ${status}`;
  assert.ok(headers.has('request-id'), `${what} without a Request-Id`);
  if (status >= 400) assertUnbilled(what, answer);
  const declared = operation.replies.get(status);
  if (declared === undefined) return assert.ok(ofAll.has(status), `${what}, which the contract does not declare`);
  if (text === '') return assert.ok(method === 'HEAD' || declared.size === 0, `${what} without a body`);
  const mediaType = (headers.get('content-type') ?? '').replace(/;.*/, '');
  const pointer = declared.get(mediaType);
  assert.ok(pointer !== undefined, `${what} with ${mediaType}, which the contract does not declare`);
  const check = validators.at(pointer);
  assert.ok(check(body ?? text), `${what} with a body that breaks the contract: ${describeFaults(check.faults())}`);
}

function assertUnbilled(what: string, { headers, body }: Answer): void {
  assert.equal(headers.get('payment-response') === null || isFailedPayment(headers), true, `${what} with a receipt`);
  if (body !== undefined)
    assert.equal((body as { billed?: unknown }).billed, false, `${what} without saying that nothing was billed`);
}

function isFailedPayment(headers: Headers): boolean {
  const told = Buffer.from(headers.get('payment-response') ?? '', 'base64').toString('utf8');
  return (JSON.parse(told) as { success?: unknown }).success === false;
}

function describeFaults(faults: readonly { readonly instancePath: string; readonly message?: string }[]): string {
  return faults
    .slice(0, 3)
    .map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`)
    .join('; ');
}
