import assert from 'node:assert/strict';
import { pino } from 'pino';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import { OperatorError } from '../../src/errors.js';
import type { AnyHandler } from '../../src/operations/operation.js';
import { createRuns, type RunsPorts } from '../../src/operations/create-runs.js';
import { createChallenges } from '../../src/payments/gate/challenge.js';
import { networks } from '../../src/wire/networks.js';

const contract = loadContract();

/** As far as a gate reads it before its first request. */
const gate = {
  terms: { network: networks[0], payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' },
  publicBaseUrl: 'https://deals.example.com',
  challenges: createChallenges({
    ...contract,
    publicBaseUrl: 'https://deals.example.com',
    issuer: undefined,
    now: () => new Date(),
    elapsedMs: () => 0,
  }),
  now: () => new Date(),
  machine: {},
} as unknown as RunsPorts['gate'];

describe('createRuns', () => {
  const handler: AnyHandler = () => ({ status: 200, body: {} });
  const handlers = Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, handler]));

  function createWith(given: Record<string, AnyHandler>) {
    return createRuns({
      contract,
      validators: createValidators(contract),
      handlers: given,
      rules: {},
      gate,
      revisionOf: () => undefined,
      refreshFeed: async () => undefined,
      secrets: ['secret'],
      log: pino({ level: 'silent' }),
    });
  }

  it('creates a run for every operation of the contract', () => {
    assert.deepEqual(
      [...createWith(handlers).keys()],
      contract.operations.map(({ operationId }) => operationId),
    );
  });

  it('stops the start when an operation has no handler, and names it', () => {
    const { listDeals: _, ...others } = handlers;
    assert.throws(
      () => createWith(others),
      (error) => error instanceof OperatorError && /listDeals/.test(error.message),
    );
  });

  it('stops the start when a handler has no operation, and names it', () => {
    assert.throws(
      () => createWith({ ...handlers, listDreams: handler }),
      (error) => error instanceof OperatorError && /listDreams/.test(error.message),
    );
  });
});
