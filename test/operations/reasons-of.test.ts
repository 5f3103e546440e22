import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import { reasons } from '../../src/errors.js';
import { problemKindOf } from '../../src/operations/problem.js';
import { reasonsOf } from '../../src/operations/reasons-of.js';
import { readReplies } from '../generators/replies.js';

const { operations } = loadContract();
const named = (id: string) => reasonsOf(operations.find(({ operationId }) => operationId === id) ?? assert.fail(id));

describe('the reasons of an operation', () => {
  it('have a declared status, and one for each status of an error that it declares', () => {
    for (const operation of operations) {
      const statuses = new Set(reasonsOf(operation).map((reason) => problemKindOf(reason).status));
      const declared = [...operation.replies.keys()].filter((status) => status >= 400);
      assert.deepEqual([...statuses].sort(), declared.sort(), operation.operationId);
    }
  });

  it('hold the reason of each recorded error', () => {
    for (const { operationId, status, body, file } of readReplies()) {
      const { reason } = body as { readonly reason?: (typeof reasons)[number] };
      if (status >= 400 && reason !== undefined) assert.ok(named(operationId).includes(reason), file);
    }
  });

  it('are all given by some operation, but for those of no path, no method and of former servers', () => {
    const given = new Set(operations.flatMap(reasonsOf));
    const left = reasons.filter((reason) => !given.has(reason));
    assert.deepEqual(left, ['suppressed', 'method_not_allowed']);
  });

  it('are those of its own question alone', () => {
    assert.ok(named('listDeals').includes('no_records_match') && !named('listDeals').includes('no_match'));
    assert.ok(named('lookUpAddress').includes('no_match') && !named('lookUpAddress').includes('no_records_match'));
    assert.ok(!named('getMeta').some((reason) => reason.startsWith('payment_')));
  });
});
