import assert from 'node:assert/strict';
import fc from 'fast-check';
import { requestPath, type OperationId } from '../../../src/client/wire/operation-paths.js';
import { loadContract } from '../../../src/contract/load-contract.js';
import { readPathValues } from '../../../src/contract/paths.js';
import { createValidators } from '../../../src/contract/validators.js';
import { createDecode } from '../../../src/operations/decode.js';
import { encodeArguments } from '../../../src/transport/mcp/encode-arguments.js';

const contract = loadContract();
const validators = createValidators(contract);
const sold = contract.operations
  .filter(({ priceUsd, tool }) => priceUsd !== undefined && tool !== undefined)
  .map((operation) => ({ operation, decode: createDecode(operation, validators) }));

/** Values that a parameter may hold and some that it may not, as agents write them. */
const value = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.constantFrom('OH', 'in', 'Hot', "O'Fallon (east)!", 'St. Louis, MO', '50%', 'a+b & c', '7.50'),
  fc.integer({ min: 0, max: 2_000 }),
  fc.double({ min: 0, max: 100, noNaN: true }).map((number) => Math.round(number * 100) / 100),
  fc.boolean(),
);

describe('a call', () => {
  it('is bound to the same and called the same, over either transport', () => {
    const calls = fc.constantFrom(...sold).chain(({ operation, decode }) => {
      const names = operation.parameters.filter((each) => each.in !== 'header').map(({ name }) => name);
      const given = fc.record(
        { ...Object.fromEntries(names.map((name) => [name, value])), ...(names.includes('id') && { id: fc.uuid() }) },
        { requiredKeys: names.filter((name) => name === 'id') },
      );
      return given.map((parameters) => ({ operation, decode, parameters }));
    });
    fc.assert(
      fc.property(calls, ({ operation, decode, parameters }) => {
        const byTool = encodeArguments(operation, [parameters]);
        assert.deepEqual(byTool.faults, []);
        const [path = '', query = ''] = requestPath(operation.operationId as OperationId, parameters).split('?');
        const overMcp = decode(byTool.query, byTool.path);
        const overHttp = decode(query, readPathValues(operation.path, path) ?? {});
        assert.deepEqual(
          [overMcp.canonical, overMcp.resource, overMcp.faults.length],
          [overHttp.canonical, overHttp.resource, overHttp.faults.length],
        );
        // Whoever asks for the address asks for the same again.
        const [concrete = '', named] = overHttp.resource.split('?');
        if (named === undefined) return;
        assert.ok(named.length <= 512);
        const again = decode(named, readPathValues(operation.path, concrete) ?? {});
        assert.deepEqual([again.canonical, again.resource], [overHttp.canonical, overHttp.resource]);
      }),
      { numRuns: 1_000 },
    );
  });
});
