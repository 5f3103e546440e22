import assert from 'node:assert/strict';
import { findVerb, verbOperations } from '../../src/client/cli/verbs.js';
import { createDealsClient } from '../../src/client/create-deals-client.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { camelCase, kebabCase, operationNames } from '../../src/wire/operation-names.js';

const { operations } = loadContract();
const client = createDealsClient({ baseUrl: 'http://127.0.0.1:4021' });

// test/transport/mcp covers that the server offers all tools.
describe('the names of the operations', () => {
  it('are of operations of the contract, and each is a method of the client and a verb of the command', () => {
    for (const [id, name] of Object.entries(operationNames)) {
      assert.ok(
        operations.some(({ operationId }) => operationId === id),
        id,
      );
      assert.equal(typeof Reflect.get(client, camelCase(name)), 'function', name);
      assert.equal(findVerb(kebabCase(name))?.id, id);
    }
    assert.equal(verbOperations.length, Object.keys(operationNames).length);
  });

  it('are told apart in every spelling', () => {
    const names = Object.values(operationNames);
    for (const spell of [camelCase, kebabCase]) assert.equal(new Set(names.map(spell)).size, names.length);
  });

  it('are all of tools but for three that programs need, and no other operation is a tool', () => {
    const tools = operations.flatMap(({ tool }) => (tool ? [tool.name] : []));
    const without = Object.values(operationNames).filter((name) => !tools.includes(name));
    assert.deepEqual(without, ['ids', 'changes', 'sources']);
  });

  it('leave out no operation on data', () => {
    const named: readonly string[] = Object.keys(operationNames);
    const nameless = operations.filter(
      ({ operationId, tags }) => !named.includes(operationId) && tags.includes('deals'),
    );
    assert.deepEqual(
      nameless.map(({ operationId }) => operationId),
      ['getPage'],
    );
  });
});
