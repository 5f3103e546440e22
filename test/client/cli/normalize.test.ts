import assert from 'node:assert/strict';
import { UsageError } from '../../../src/client/buyer-environment.js';
import { createNormalize } from '../../../src/client/cli/normalize.js';
import { findVerb } from '../../../src/client/cli/verbs.js';

const today = new Date('2026-11-28T23:30:00-01:00');

function read(verb: string, name: string, text: string): readonly [string, string] {
  let told = '';
  const parameter = findVerb(verb)?.parameters.find((each) => each.name === name) ?? assert.fail(name);
  return [createNormalize(today, (line) => (told += line))(parameter, text), told];
}

describe('what a person writes', () => {
  for (const [name, text, meant] of [
    ['min_price', '150k', '150000'],
    ['min_price', '1.2m', '1200000'],
    ['min_price', '$150,000', '150000'],
    ['min_cap', '8.5%', '8.5'],
    ['state', 'Ohio,new york', 'OH,NY'],
    ['status', 'hot', 'Hot'],
    ['metro', 'Kansas City', 'kansas-city'],
    ['first_seen_since', '12/01/2026', '2026-12-01'],
    ['first_seen_since', 'today', '2026-11-29'],
    ['first_seen_since', 'tomorrow', '2026-11-30'],
    ['first_seen_since', 'yesterday', '2026-11-28'],
    ['first_seen_since', '+7d', '2026-12-06'],
    ['first_seen_since', '-30d', '2026-10-30'],
  ] as const)
    it(`is read, and told: ${name} ${text}`, () => {
      const how = text.includes('/') ? ', month first' : name === 'first_seen_since' ? ', by UTC' : '';
      assert.deepEqual(read('deals', name, text), [meant, `Read as ${meant}${how}.\n`]);
      assert.deepEqual(read('deals', name, meant), [meant, '']);
    });

  for (const [name, text, told] of [
    ['min_price', '1,50', 'min_price: "1,50" may be 1.5 or 150; write the one you mean.'],
    ['state', 'Carolina', 'state: "Carolina" may be NC or SC; write the one you mean.'],
    ['min_price', 'cheap', 'min_price: digits only, such as 150000'],
    ['first_seen_since', '13/01/2026', 'first_seen_since: a date such as 2026-12-01'],
    ['status', 'warmer', 'status: one of Hot, Warm, Pass; did you mean Warm?'],
  ] as const)
    it(`is refused in the server's words: ${name} ${text}`, () => {
      assert.throws(() => read('deals', name, text), new UsageError(told));
    });

  it('is counted where a payment id is too short, and read in lower case', () => {
    assert.throws(
      () => read('payment', 'payment_id', `0x${'a'.repeat(40)}`),
      new UsageError('payment_id: 0x and 64 hexadecimal digits in lower case; yours has 40'),
    );
    const id = `0x${'ab'.repeat(32)}`;
    assert.deepEqual(read('payment', 'payment_id', id.toUpperCase().replace('0X', '0x')), [id, `Read as ${id}.\n`]);
  });
});
