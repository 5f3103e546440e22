import assert from 'node:assert/strict';
import { addressKey } from '../../src/limits/rate-limiter.js';

describe('the key that an address is counted by', () => {
  const keys: readonly (readonly [address: string, key: string])[] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000:0001::1', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ];
  for (const [address, key] of keys) {
    it(`is ${key} for ${address}`, () => assert.equal(addressKey(address), key));
  }

  it('is the same for all that one holder of an IPv6 network can call from, and another for his neighbor', () => {
    const own = Array.from({ length: 1_000 }, (_, host) => addressKey(`2001:db8:0:7::${host.toString(16)}`));
    assert.equal(new Set(own).size, 1);
    assert.notEqual(addressKey('2001:db8:0:8::1'), own[0]);
  });
});
