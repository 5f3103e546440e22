import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { loadContract } from '../../src/contract/load-contract.js';
import { resolvePointer } from '../../src/contract/read-operations.js';
import { createValidators } from '../../src/contract/validators.js';
import { createRandom, type Random } from '../simulation/random.js';
import { listMutations, mutationKinds, type Mutation } from './mutate-record.js';
import { isNode, type SchemaNode } from './schema-nodes.js';

const contract = loadContract();
const validators = createValidators(contract);
const [seed = 0] = fc.sample(fc.nat(), { numRuns: 1 });

/** A way to break one of the records. */
interface Draw {
  readonly record: unknown;
  readonly mutation: Mutation;
}

/**
 * Draws mutants of the records, of every kind in turn, and has the named schema refuse so many different ones; all that
 * there are where there are not so many. Returns how many of each kind it refused.
 */
export function refuseMutants(schemaName: string, records: readonly unknown[], count: number): Map<string, number> {
  const pointer = `#/components/schemas/${schemaName}`;
  const schema = resolvePointer(contract.document, pointer);
  assert.ok(isNode(schema) && records.length > 0);
  const check = validators.at(pointer);
  const random = createRandom(seed, schemaName);
  const waiting = shuffled([...new Map(records.map((record) => [JSON.stringify(record), record])).values()], random);
  const refused = new Set<string>();
  const kinds = new Map<string, number>(mutationKinds.map((kind) => [kind, 0]));

  /** The mutants of some more records, by kind: somewhat more than are asked for, since some come to the same. */
  function drawMore(): Draw[][] {
    const byKind = new Map<string, Draw[]>(mutationKinds.map((kind) => [kind, []]));
    for (let found = 0; found < 2 * count && waiting.length > 0;) {
      const record = waiting.pop();
      assert.ok(check(record), `${schemaName}: ${JSON.stringify(check.faults()[0])}`);
      const mutations = listMutations(contract.document, schema as SchemaNode, record);
      for (const mutation of mutations) byKind.get(mutation.kind)?.push({ record, mutation });
      found += mutations.length;
    }
    return [...byKind.values()].map((draws) => shuffled(draws, random));
  }

  function refuse({ record, mutation: { kind, label, breakRecord } }: Draw): void {
    const mutant = breakRecord(record);
    const name = createHash('sha1').update(JSON.stringify(mutant)).digest('base64');
    if (refused.has(name)) return;
    assert.equal(check(mutant), false, `${schemaName}: ${label}`);
    refused.add(name);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }

  while (refused.size < count && waiting.length > 0) {
    const left = drawMore();
    while (refused.size < count && left.some(({ length }) => length > 0))
      for (const draw of left.flatMap((draws) => draws.pop() ?? []).slice(0, count - refused.size)) refuse(draw);
  }
  return kinds;
}

/** In another order, in place. */
function shuffled<Item>(items: Item[], random: Random): Item[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [items[last], items[other]] = [items[other] as Item, items[last] as Item];
  }
  return items;
}
