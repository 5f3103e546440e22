import assert from 'node:assert/strict';
import { verbs } from '../../src/client/cli/verbs.js';
import { createDealsClient } from '../../src/client/create-deals-client.js';
import type { OperationId } from '../../src/client/wire/operation-paths.js';
import { loadContract } from '../../src/contract/load-contract.js';

const { operations } = loadContract();
const client = createDealsClient({ baseUrl: 'http://127.0.0.1:4021' });

/** The reason why an operation has no verb; undefined when it has one. */
function whyNot(operationId: string): string | undefined {
  const entry = verbs[operationId as OperationId];
  return 'why' in entry ? entry.why : undefined;
}

// test/mcp covers which operations become tools, and that the server offers all of them.
describe('an operation of the contract', () => {
  it('is a method of the client', () => {
    for (const { operationId } of operations) assert.equal(typeof client[operationId as OperationId], 'function');
    assert.equal(operations.length, Object.keys(verbs).length);
  });

  it('is both a verb of the command and a tool of agents, or has a reason', () => {
    for (const { operationId, tool } of operations) {
      const why = whyNot(operationId);
      if (why === undefined) assert.ok(tool, `${operationId} has a verb, and is no tool`);
      else assert.match(why, /^\S.+ .+\.$/, operationId);
    }
  });

  it('lacks only a verb when the command calls it by itself', () => {
    const alone = operations.filter(({ operationId, tool }) => tool !== undefined && whyNot(operationId) !== undefined);
    assert.deepEqual(
      alone.map(({ operationId }) => [operationId, whyNot(operationId)]),
      [['getPage', '--all reads the further pages.']],
    );
  });
});
