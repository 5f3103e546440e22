import assert from 'node:assert/strict';
import { startTestApp, type TestApp } from '../support/app.js';
import { endSharedApp } from '../support/shared-app.js';
import { buyAt, countFunctions, readStacks, type Frame, type Stacks } from './measure-sale.js';

const path = '/api/deals?limit=5';

describe('one sale', () => {
  let app: TestApp | undefined;
  let functions: readonly string[];
  let stacks: Stacks;

  before(async () => {
    // Its timers would run beside each sale.
    await endSharedApp();
    const first = await countFirstSale();
    const others = [await countFirstSale(), await countFirstSale()];
    // Timers run beside a sale; what they call is not in each.
    functions = [...first].filter((each) => others.every((other) => other.has(each))).sort();
    stacks = await readStacks(app ?? assert.fail(), path);
  });
  after(() => app?.stop());

  /**
   * The functions of the first purchase of a server: the price and the data, nothing remembered from before. What the
   * price says of all deals was counted once for everybody.
   */
  async function countFirstSale(): Promise<ReadonlySet<string>> {
    // One server after the other, so that each gets the database of the one before it.
    await app?.stop();
    const { url } = (app = await startTestApp({ isOnly: true }));
    await fetch(`${url}/api/deals`);
    return countFunctions(() => buyAt(url + path));
  }

  it('takes at most 180 named functions of ours in 60 files', () => {
    const files = new Set(functions.map((each) => each.split(' ')[0]));
    assert.ok(functions.length <= 180, `${functions.length} functions:\n${functions.join('\n')}`);
    assert.ok(files.size <= 60, `${files.size} files:\n${[...files].join('\n')}`);
  });

  it('claims its payment at most 12 calls of ours deep', () => {
    const { claim } = stacks;
    assert.ok(claim.length > 0 && claim.length <= 12, `${claim.length} frames:\n${describeFrames(claim)}`);
  });

  it('sends its transaction at most 17 calls of ours deep', () => {
    const { send } = stacks;
    assert.ok(send.length > 0 && send.length <= 17, `${send.length} frames:\n${describeFrames(send)}`);
  });

  it('enters at most 3 rooms on the way from the request to the transaction', () => {
    const rooms = roomsOf(stacks.send);
    assert.ok(rooms.length - 1 <= 3, rooms.join(' -> '));
  });
});

/**
 * The rooms in the order in which they are entered, each as often as it is: the folders of src/, and those directly in
 * payments/ and transport/.
 */
function roomsOf(frames: readonly Frame[]): string[] {
  const all = [...frames].reverse().map(({ file }) => file.split('/').slice(0, -1).slice(0, 2).join('/'));
  return all.filter((room, index) => room !== all[index - 1]);
}

function describeFrames(frames: readonly Frame[]): string {
  return frames.map(({ file, name }) => `${file} ${name || '(anonymous)'}`).join('\n');
}
