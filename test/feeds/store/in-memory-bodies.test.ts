import assert from 'node:assert/strict';
import type { Prover } from '../../../src/contract/prover.js';
import { memoryOf, readRendered, renderText } from '../../../src/contract/rendered.js';
import { createInMemoryBodies, type InMemoryBodies } from '../../../src/feeds/store/in-memory-bodies.js';

/** How often a record was written, and as many bytes as a deal has. */
type TestRecord = readonly [number, string];
interface TestViews {
  readonly full: TestRecord;
  readonly basic: TestRecord;
}

const prover: Prover<TestRecord> = {
  prove: () => assert.fail('Nothing is proven here.'),
  render: () => assert.fail('Nothing is rendered here.'),
  sealOf: () => assert.fail('Nothing is sealed here.'),
  load: renderText,
};

const records = 1_000;
const slabBytes = 256 * 1024;
const yieldTurn = (): Promise<void> => Promise.resolve();

describe('the bytes of records, of which in each version others change', () => {
  for (const how of ['in place', 'beside what is held'] as const) {
    it(`take a third more memory than they have, at most, when they come ${how}`, async () => {
      const held = createInMemoryBodies<TestViews>({ full: prover, basic: prover });
      const writes = Array.from({ length: records }, () => 1);
      await take(held, 1, writes, () => true, how);
      for (let version = 2; version <= 60; version++) {
        const isChanged = (index: number): boolean => scatter(index, version) % 10 === 0;
        for (let index = 0; index < records; index++) if (isChanged(index)) writes[index] = (writes[index] ?? 0) + 1;
        await take(held, version, writes, isChanged, how);
      }

      const memory = new Set<ArrayBufferLike>();
      let bytes = 0;
      for (const [index, times] of writes.entries()) {
        for (const view of ['full', 'basic'] as const) {
          const found = held.find(view, String(index), 60) ?? assert.fail(`Record ${index} is gone.`);
          assert.deepEqual(readRendered(found), recordOf(times, view));
          memory.add(memoryOf(found));
          bytes += found.byteLength;
        }
      }
      const taken = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
      // Besides the last third: what is being filled, which others fill, too.
      assert.ok(taken <= (bytes * 4) / 3 + 2 * slabBytes, `${bytes} bytes take ${taken}`);
    });
  }
});

/** The same numbers in each run, as if by chance. */
function scatter(index: number, version: number): number {
  const mixed = Math.imul(index * 64 + version + 1, 0x9e3779b1);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 16;
}

async function take(
  held: InMemoryBodies<TestViews>,
  version: number,
  writes: readonly number[],
  isChanged: (index: number) => boolean,
  how: 'in place' | 'beside what is held',
): Promise<void> {
  const incoming = how === 'in place' ? held.inPlace(version, false) : held.beside(version);
  for (const [index, times] of writes.entries()) {
    if (!isChanged(index)) continue;
    const textOf = (view: keyof TestViews) => ({ text: JSON.stringify(recordOf(times, view)) });
    incoming.hold(String(index), { full: textOf('full'), basic: textOf('basic') });
  }
  await incoming.complete(yieldTurn);
}

function recordOf(times: number, view: keyof TestViews): TestRecord {
  return [times, 'x'.repeat(view === 'full' ? 6_000 : 900)];
}
