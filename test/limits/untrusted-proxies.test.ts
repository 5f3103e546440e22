import assert from 'node:assert/strict';
import { createUntrustedProxies } from '../../src/limits/untrusted-proxies.js';

describe('untrusted proxies', () => {
  let nowMs = 0;
  const notice = () =>
    createUntrustedProxies(
      (peer) => peer === '10.0.0.1',
      () => nowMs,
    );

  it('are noticed by the second caller for whom they forward, and forgotten after ten minutes without one', () => {
    const proxies = notice();
    proxies.note('::ffff:10.0.0.2', '192.0.2.1');
    proxies.note('::ffff:10.0.0.2', '192.0.2.1, 10.0.0.9');
    assert.equal(proxies.find(), undefined, 'one caller alone may have sent the header itself');
    proxies.note('::ffff:10.0.0.2', '192.0.2.2');
    assert.equal(proxies.find(), 'private');
    nowMs += 599_999;
    assert.equal(proxies.find(), 'private');
    nowMs += 1;
    assert.equal(proxies.find(), undefined);
  });

  it('are never those in TRUSTED_PROXIES, and each is told by where it stands', () => {
    for (const [peer, place] of [
      ['10.0.0.1', undefined],
      ['::1', 'loopback'],
      ['127.0.0.5', 'loopback'],
      ['172.31.0.1', 'private'],
      ['172.32.0.1', 'public'],
      ['fd00::1', 'private'],
      ['203.0.113.1', 'public'],
    ] as const) {
      const proxies = notice();
      for (const caller of ['192.0.2.1', '192.0.2.2']) proxies.note(peer, caller);
      assert.equal(proxies.find(), place, peer);
    }
  });
});
