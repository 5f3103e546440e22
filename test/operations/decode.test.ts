import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import type { Decode } from '../../src/contract/paths.js';
import { createDecode } from '../../src/operations/decode.js';

const contract = loadContract();
const validators = createValidators(contract);

describe('decode', () => {
  const decode = decoderOf('listDeals');
  const decodePage = decoderOf('getPage');

  /** What is wrong, in short: name and reason of each fault. */
  function faultsOf(query: string, decoder: Decode = decode): string[] {
    return decoder(query, {}).faults.map(({ parameter, reason }) => `${parameter} ${reason}`);
  }

  it('reads each parameter in its type', () => {
    const { query, faults } = decode('state=OH,IN,OH&city=St.%20Paul&min_price=250000.5&min_units=4&status=Hot', {});
    assert.deepEqual(faults, []);
    assert.deepEqual(query, {
      ...{ state: ['IN', 'OH'], city: 'St. Paul', min_price: 250_000.5, min_units: 4, status: ['Hot'] },
    });
  });

  it('reads plus signs and percent-encoded spaces alike in a query, and a plus sign as it is in a path', () => {
    assert.deepEqual(decode('city=New+York', {}).query, decode('city=New%20York', {}).query);
    const { faults } = decodePage('', { token: 'abcdefgh+abcdefgh' });
    assert.deepEqual(
      faults.map(({ parameter, in: place }) => [parameter, place]),
      [['token', 'path']],
    );
  });

  for (const number of ['8', '8.5', '0', '0.01', '1e1', '12E-1', '1000000000000']) {
    it(`reads ${number} as a number`, () => {
      assert.deepEqual(decode(`min_price=${number}`, {}).query, { min_price: Number(number) });
    });
  }

  const noNumbers = [
    ['hexadecimal', '0x10'],
    ['octal', '0o17'],
    ['binary', '0b11'],
    ['a blank', '%20'],
    ['a padded number', '%208'],
    ['nothing', ''],
    ['Infinity', 'Infinity'],
    ['minus Infinity', '-Infinity'],
    ['NaN', 'NaN'],
    ['more digits than a number keeps', '9007199254740993'],
    ['more decimals than a number keeps', '0.1234567890123456'],
    ['a leading zero', '08'],
    ['a leading plus', '%2B8'],
    ['a bare point', '.5'],
    ['a trailing point', '5.'],
    ['an exponent that turns it into zero', '1e-999'],
    ['an exponent that turns it into infinity', '1e999'],
    ['thousands separators', '250,000'],
    ['digits of another script', '%D9%A1%D9%A2'],
    ['an underscore', '250_000'],
    ['a bigint', '10n'],
    ['null', 'null'],
    ['a list', '[8]'],
  ] as const;
  for (const [name, text] of noNumbers) {
    it(`refuses ${name} as a number`, () => {
      assert.deepEqual(faultsOf(`min_price=${text}`), ['min_price invalid_parameter']);
    });
  }

  it('refuses a fraction where a whole number is asked for', () => {
    assert.deepEqual(faultsOf('min_units=4.5'), ['min_units invalid_parameter']);
    assert.deepEqual(decode('min_units=4.0', {}).query, { min_units: 4 });
  });

  it('refuses what the contract bounds', () => {
    assert.deepEqual(faultsOf('min_score=101'), ['min_score invalid_parameter']);
    assert.deepEqual(faultsOf('min_price=-1'), ['min_price invalid_parameter']);
    assert.deepEqual(faultsOf('limit=0'), ['limit invalid_parameter']);
    assert.deepEqual(faultsOf('limit=1001'), ['limit invalid_parameter']);
    assert.deepEqual(faultsOf('state=Ohio'), ['state invalid_parameter']);
    assert.deepEqual(faultsOf('city='), ['city invalid_parameter']);
    assert.deepEqual(faultsOf(`city=${'x'.repeat(81)}`), ['city invalid_parameter']);
  });

  it('names the allowed values of an enumeration, which case matters in', () => {
    const [fault] = decode('status=hot', {}).faults;
    assert.equal(fault?.detail, 'one of Hot, Warm, Pass; did you mean Hot?');
  });

  it('names an unknown parameter with the nearest known one', () => {
    const near = (query: string) => decode(query, {}).faults[0]?.nearest;
    assert.equal(near('min_unit=4'), 'min_units');
    assert.equal(near('minprice=4'), 'min_price');
    assert.equal(near('State=OH'), 'state');
    assert.equal(near('MIN_PRICE=4'), 'min_price');
    assert.equal(near('minUnits=4'), 'min_units');
    assert.equal(near('zip_code=44105'), 'zip');
    assert.equal(near('score=44'), 'min_score');
    assert.equal(near('price=44105'), undefined, 'the least or the highest');
    assert.equal(near('colour=red'), undefined);
  });

  it('takes no parameter from the prototype of an object', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      assert.deepEqual(faultsOf(`${name}=1`), [`${name} unknown_parameter`]);
    }
  });

  it('refuses a parameter that is given twice, even with one value', () => {
    assert.deepEqual(faultsOf('state=OH&state=OH'), ['state invalid_parameter']);
    assert.deepEqual(faultsOf('state=OH&st%61te=TX'), ['state invalid_parameter']);
  });

  it('refuses brackets and lists that other servers understand', () => {
    assert.deepEqual(faultsOf('state[]=OH'), ['state[] unknown_parameter']);
    assert.deepEqual(faultsOf('state=OH;TX'), ['state invalid_parameter']);
    assert.deepEqual(faultsOf('city=Toledo&city=Akron'), ['city invalid_parameter']);
  });

  it('reads a list with commas, encoded or not: sorted, each value once', () => {
    assert.deepEqual(decode('zip=44105,43609,44105', {}).query, { zip: ['43609', '44105'] });
    assert.deepEqual(decode('zip=44105%2C43609', {}).query, { zip: ['43609', '44105'] });
    assert.equal(decode('zip=44105,43609,44105', {}).resource, '/api/deals?zip=43609,44105');
  });

  it('refuses a list with an empty, wrong or further item, with one fault', () => {
    for (const list of ['', ',', 'OH,', ',OH', 'OH,,IN', 'OH, IN', 'OH,Ohio,x'])
      assert.deepEqual(faultsOf(`state=${list}`), ['state invalid_parameter'], list);
    const zips = Array.from({ length: 51 }, (_, index) => String(43_600 + index));
    assert.deepEqual(faultsOf(`zip=${zips.join(',')}`), ['zip invalid_parameter']);
    assert.deepEqual(faultsOf(`zip=${[...zips.slice(1), ...zips.slice(1)].join(',')}`), []);
  });

  it('tells how a list is written to whoever gives it twice', () => {
    assert.match(decode('state=OH&state=IN', {}).faults[0]?.detail ?? '', /write state=OH,IN/);
  });

  for (const [name, text] of [
    ['NUL', '%00'],
    ['a line feed', '%0A'],
    ['delete', '%7F'],
    ['a C1 control', '%C2%85'],
    ['a mark that turns the direction of writing', '%E2%80%AE'],
    ['half a character', '%C3'],
    ['a lone percent sign', '%'],
    ['no escape', '%zz'],
    ['an overlong escape', '%C0%AF'],
    ['a surrogate', '%ED%A0%80'],
  ] as const) {
    it(`refuses ${name} in a value and in a name`, () => {
      assert.deepEqual(faultsOf(`city=a${text}b`), ['city invalid_parameter']);
      assert.equal(decode(`ci${text}ty=a`, {}).faults[0]?.reason, 'unknown_parameter');
    });
  }

  it('collects every fault of a request', () => {
    assert.deepEqual(faultsOf('state=Ohio&min_units=x&foo=1&limit=5'), [
      'min_units invalid_parameter',
      'foo unknown_parameter',
      'state invalid_parameter',
    ]);
    assert.deepEqual(faultsOf('state=Ohio&min_score=400'), ['state invalid_parameter', 'min_score invalid_parameter']);
  });

  it('answers thousands of parameters, or a query that is too long, with one fault', () => {
    assert.deepEqual(faultsOf('a&'.repeat(2000)), ['? invalid_parameter']);
    assert.deepEqual(faultsOf(`city=${'x'.repeat(5000)}`), ['? invalid_parameter']);
  });

  it('keeps a fault about a long name short', () => {
    const [fault] = decode(`${'x'.repeat(4000)}=1`, {}).faults;
    assert.equal(fault?.parameter.length, 80);
  });

  it('reports a path parameter that the contract refuses, and keeps its text as text', () => {
    assert.equal(decodePage('', { token: '%00'.repeat(20) }).faults[0]?.in, 'path');
    assert.equal(decodePage('', { token: 'short' }).faults[0]?.reason, 'invalid_parameter');
    assert.deepEqual(decodePage('', { token: '12345678901234567890' }).path, { token: '12345678901234567890' });
    assert.equal(decodePage('', { token: '%zz' }).faults.length, 1);
    assert.deepEqual(
      decodePage('', {}).faults.map(({ reason }) => reason),
      ['missing_parameter'],
    );
  });

  it('has one canonical text for equal requests, and another for each different one', () => {
    const canonical = (query: string) => decode(query, {}).canonical;
    assert.equal(canonical('state=OH&min_cap=8'), canonical('min_cap=8.0&state=%4FH'));
    assert.equal(canonical('min_cap=8'), canonical('&min_cap=80e-1&'));
    const different = ['', 'state=OH', 'city=OH', 'min_cap=8', 'min_units=8', 'max_units=8', 'city=8', 'min_cap=80'];
    assert.equal(new Set(different.map(canonical)).size, different.length);
  });

  function decoderOf(operationId: string): Decode {
    const operation = contract.operations.find((each) => each.operationId === operationId);
    assert.ok(operation);
    return createDecode(operation, validators);
  }
});
