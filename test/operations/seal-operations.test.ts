import assert from 'node:assert/strict';
import { pino } from 'pino';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import { OperatorError } from '../../src/errors.js';
import type { AnyHandler } from '../../src/operations/operation.js';
import { sealOperations } from '../../src/operations/seal-operations.js';
import type { GatePorts } from '../../src/payments/gate/gate.js';

const contract = loadContract();

describe('sealOperations', () => {
  const handler: AnyHandler = () => ({ status: 200, body: {} });
  const handlers = Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, handler]));

  function sealWith(given: Record<string, AnyHandler>) {
    return sealOperations({
      contract,
      validators: createValidators(contract),
      handlers: given,
      rules: {},
      prices: new Map(),
      // Without prices no gate is made.
      gate: {} as GatePorts,
      revisionOf: () => undefined,
      refreshFeed: async () => undefined,
      secrets: ['secret'],
      log: pino({ level: 'silent' }),
    });
  }

  it('seals every operation of the contract', () => {
    assert.deepEqual(
      [...sealWith(handlers).keys()],
      contract.operations.map(({ operationId }) => operationId),
    );
  });

  it('stops the start when an operation has no handler, and names it', () => {
    const { listDeals: _, ...others } = handlers;
    assert.throws(
      () => sealWith(others),
      (error) => error instanceof OperatorError && /listDeals/.test(error.message),
    );
  });

  it('stops the start when a handler has no operation, and names it', () => {
    assert.throws(
      () => sealWith({ ...handlers, listDreams: handler }),
      (error) => error instanceof OperatorError && /listDreams/.test(error.message),
    );
  });
});
