import assert from 'node:assert/strict';
import { assertPaid } from '../answer.js';
import { openShop, type Shop } from '../shop.js';

const path = '/api/deals/hot';

/** Changes the JSON text of a signed payload, where an object could not be changed so. */
type Rewrite = (json: string) => string;

const number = (name: string, text: string): Rewrite => {
  const member = new RegExp(`"${name}":"?\\d+"?`, 'g');
  return (json) => json.replace(member, `"${name}":${text}`);
};
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Each is refused before anything is asked or written, and the payment inside stays unused. */
const refused: readonly (readonly [what: string, rewrite: Rewrite])[] = [
  ['an amount with a fraction of nothing', number('value', '"20000.0"')],
  ['an amount with a plus sign', number('value', '"+20000"')],
  ['an amount with an exponent', number('value', '"2e4"')],
  ['an amount with a blank', number('value', '" 20000"')],
  ['an amount with a line feed', number('value', '"20000\\n"')],
  ['an amount with a NUL', number('value', '"20000\\u0000"')],
  ['an amount in full-width digits', number('value', '"２００００"')],
  ['an amount of a thousand digits', number('value', `"${'9'.repeat(1_000)}"`)],
  ['an amount of minus nothing', number('value', '"-0"')],
  ['no amount', number('value', '""')],
  ['an amount of null', number('value', 'null')],
  ['a window that ends after a thousand digits', number('validBefore', `"${'9'.repeat(1_000)}"`)],
  ['a window that ends before all time', number('validBefore', '"0"')],
  ['a window that begins after a thousand digits', number('validAfter', `"${'9'.repeat(1_000)}"`)],
  ['a window that begins before all time', number('validAfter', '"-1"')],
  ['a window in milliseconds', (json) => json.replace(/"validBefore":"(\d+)"/, '"validBefore":"$1000"')],
  ['a window in numbers', (json) => json.replace(/"validBefore":"(\d+)"/, '"validBefore":$1')],
  ['a version just above', number('x402Version', '2.0000001')],
  ['a version that no number holds', number('x402Version', '1e999')],
  ['two versions, the later one wrong', (json) => json.replace(/}$/, ',"x402Version":1}')],
  ['two authorizations, the later one empty', (json) => json.replace(/}$/, ',"payload":{}}')],
  ['a list for the authorization', (json) => json.replace(/"authorization":\{[^}]*\}/, '"authorization":[]')],
  ['an address without its prefix', (json) => json.replace(/"from":"0x/, '"from":"')],
  ['an address with a capital prefix', (json) => json.replace(/"from":"0x/, '"from":"0X')],
  ['an address with a letter that looks alike', (json) => json.replace(/"from":"0x./, '"from":"0x\\u0430')],
  ['a network with a line feed', (json) => json.replace(/"network":"([^"]+)"/, '"network":"$1\\n"')],
  ['a scheme with a NUL', (json) => json.replace('"exact"', '"exact\\u0000"')],
  ['a scheme in capitals', (json) => json.replace('"exact"', '"EXACT"')],
  ['resource that is an address only', (json) => json.replace(/"resource":\{[^}]*\}/, '"resource":"/api/deals/hot"')],
  ['nothing but brackets', () => nested(5_000)],
];

/** Each says the same as the payment as it was signed: it buys, once. */
const taken: readonly (readonly [what: string, rewrite: Rewrite])[] = [
  ['a version with a fraction of nothing', number('x402Version', '2.0')],
  ['a version with an exponent', number('x402Version', '2e0')],
  ['blanks and line feeds', (json) => json.replaceAll(',', ' ,\n\t').replaceAll(':{', ' : { ')],
  ['escaped letters', (json) => json.replaceAll('"exact"', '"\\u0065xact"')],
  ['two versions, the later one right', (json) => json.replace('{', '{"x402Version":1,')],
  ['a prototype', (json) => json.replace('{', '{"__proto__":{"x402Version":1},"constructor":{"prototype":[]},')],
  ['brackets where nobody looks', (json) => json.replace('{', `{"more":${nested(2_000)},`)],
];

describe('a payment that is written oddly', () => {
  let shop: Shop;

  before(async () => {
    shop = await openShop();
  });
  after(() => shop.close());

  const rewriteIn = (header: string, rewrite: Rewrite): string => {
    const json = Buffer.from(header, 'base64').toString('utf8');
    const rewritten = rewrite(json);
    assert.notEqual(rewritten, json, 'something was rewritten');
    return Buffer.from(rewritten).toString('base64');
  };

  for (const [what, rewrite] of refused) {
    it(`is refused with ${what}, and as good as before`, async () => {
      const header = await shop.sign(path);
      shop.faults.settler.verify = () => assert.fail('the chain must not be asked');
      const answer = await shop.pay(path, rewriteIn(header, rewrite));
      shop.mend();
      assert.ok([400, 402].includes(answer.status), answer.text);
      assert.match(
        answer.problem?.reason ?? '',
        /^payment_(malformed|invalid|expired|amount_mismatch|wrong_resource)$/,
      );
      assert.equal(await shop.rowOf(header), undefined);
    });
  }

  for (const [what, rewrite] of taken) {
    it(`buys with ${what}, once`, async () => {
      const header = await shop.sign(path);
      assertPaid(await shop.pay(path, rewriteIn(header, rewrite)));
      assert.equal((await shop.pay(path, header)).status, 402);
      assert.equal(await shop.settlementsOf(header), 1);
    });
  }
});
