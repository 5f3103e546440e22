import assert from 'node:assert/strict';
import { readSource } from '../../read-source.js';
import { rejects, type MockServer } from '../../upstream/mock-server.js';
import { keysOf, type Property, property, resoAt, startReso } from './mock-reso.js';

describe('the pages of a RESO source', () => {
  let mockServer: MockServer | undefined;
  afterEach(() => mockServer?.close());

  async function start(properties: Property[], most?: number) {
    const reso = await startReso(properties, most);
    mockServer = reso;
    return reso;
  }
  /** Listings with keys 0, 1, ..., with `perSecond` changes in each second. */
  const many = (count: number, perSecond: number) =>
    Array.from({ length: count }, (_, index) => {
      const at = Date.parse('2026-11-18T09:00:00.000Z') + Math.floor(index / perSecond) * 1000;
      return property(`${index}`, 0, { ModificationTimestamp: new Date(at).toISOString() });
    });
  const keysUpTo = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

  it('are all read from a server that treats the page size as the limit, and has no next links', async () => {
    for (const count of [199, 200, 201, 600]) {
      const { url, state } = await start(many(count, 3));
      state.links = false;
      const whole = await readSource(resoAt(url));
      assert.deepEqual(keysOf(whole.taken), keysUpTo(count));
      const changes = await readSource(resoAt(url), { watermark: '2026-11-18' });
      assert.deepEqual(keysOf(changes.taken), keysUpTo(count));
      await mockServer?.close();
    }
  });

  it('miss no listing when another one changes between two of them', async () => {
    for (const watermark of [undefined, '2026-11-18']) {
      const { url, state } = await start(many(6, 1));
      state.repeats = 0;
      let changed = 0;
      state.afterPage = () => {
        if (changed < 4) state.properties[changed] = property(`${changed}`, 30 + changed);
        changed += 1;
      };
      const { taken } = await readSource(resoAt(url), { watermark });
      assert.deepEqual([...new Set(keysOf(taken))].sort(), keysUpTo(6));
      await mockServer?.close();
    }
  });

  it("follow the server's links when more changed at one moment than a page holds", async () => {
    const { url } = await start([...many(7, 7), property('later', 5)]);
    assert.deepEqual(keysOf((await readSource(resoAt(url))).taken), [...keysUpTo(7), 'later']);
  });

  it('fail the run when more changed at one moment than a page holds, and no page is linked', async () => {
    const { url, state } = await start(many(250, 250));
    state.links = false;
    await rejects(readSource(resoAt(url)), 'delivery_unreadable', /one moment/);
  });

  it("follow the server's links when a link does not count listings", async () => {
    const { url, seen, state } = await start(many(6, 1));
    state.nextLink = (link) => link.replace('skip=', 'skiptoken=');
    assert.deepEqual(keysOf((await readSource(resoAt(url))).taken), keysUpTo(6));
    assert.deepEqual(
      seen.map((line) => /skiptoken=(\d)/.exec(line)?.[1]),
      [undefined, '1', '2', '3', '4'],
    );
  });

  it('fail the run when their links are circular', async () => {
    const { url, state } = await start(many(9, 9));
    let links = 0;
    state.nextLink = (link) => link.replace(/skip=\d+/, `skip=${(links += 1) % 2}`);
    await rejects(readSource(resoAt(url)), 'delivery_unreadable', /same page again/);
  });

  it('are a single one when the server returns everything at once, beyond the limit and in any order', async () => {
    const { url, seen, state } = await start(many(250, 1).reverse(), 1_000);
    state.isOrdered = false;
    assert.equal((await readSource(resoAt(url))).taken.length, 250);
    assert.equal(seen.length, 1);
  });

  it('are all read from a server that returns more than the limit, but not everything', async () => {
    for (const [count, perSecond] of [
      [700, 1],
      [250, 250],
    ] as const) {
      const { url, state } = await start(many(count, perSecond), 300);
      Object.assign(state, { links: false, ignoresTop: true });
      assert.deepEqual(keysOf((await readSource(resoAt(url))).taken), keysUpTo(count));
      await mockServer?.close();
    }
  });

  it('fail the run when the server breaks the order of change', async () => {
    const { url, state } = await start([property('a', 9), property('b', 1), property('c', 5)]);
    state.isOrdered = false;
    await rejects(readSource(resoAt(url)), 'delivery_unreadable', /order of change/);
  });
});
