import assert from 'node:assert/strict';
import type { ContractOperation } from '../../src/contract/contract.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { toAtomicUnits } from '../../src/payments/chain/token-amount.js';
import { livePath } from '../support/live-path.js';
import { askPrice, buy, signPayment } from '../support/pay.js';
import { ask } from '../support/raw-http.js';
import { assertResponse } from './responses.js';
import type { Served } from './served.js';
import { endpoints, readRows } from './tables.js';

const { operations } = loadContract();
const notSold = 'is not in the contract yet';

/** Tests the specification of prices, parameters and responses, row by row. */
export function specifyEndpoints(read: () => Served): void {
  let served: Served;
  before(() => void (served = read()));

  for (const row of readRows(endpoints)) {
    const { Path: path = '', 'Price per call': price = '', 'Query / path parameters': parameters = '' } = row;
    const operation = operations.find((each) => each.path === path);

    describe(`GET ${path}`, () => {
      before(function () {
        if (operation !== undefined) return;
        process.stderr.write(`SKIPPED: ${path} ${notSold}\n`);
        this.skip();
      });

      it(`price per call | ${price}`, async () => {
        const url = served.app.url + livePath(served.app, path);
        const told = Reflect.get(served.meta.pricing, `GET ${path}`);
        if (price.startsWith('free')) {
          assert.equal((await fetch(url)).status, 200);
          assert.equal(told, 'free');
          return;
        }
        const { accepts } = await askPrice(url);
        const amount = toAtomicUnits(price.slice(1));
        assert.deepEqual(
          accepts.map((offer) => offer.amount),
          [String(amount)],
        );
        const before = served.settler.settled.length;
        assert.equal((await buy(url)).status, 200);
        assert.deepEqual(
          served.settler.settled.slice(before).map(({ value }) => value),
          [amount],
          'charged once, and that',
        );
        assert.equal(told, price);
      });

      for (const { name, type } of readParameters(parameters))
        it(`parameter | ${name}${type === '' ? '' : ` (${type})`}`, async () => {
          assert.ok(operation);
          await assertParameter(served, operation, name, type);
        });

      if (parameters === 'none')
        it('parameters | none are required', () => {
          assert.ok(operation?.parameters.every(({ required }) => !required));
        });

      it(`response | ${row['Response'] ?? ''}`, () => assertResponse(path, served));
    });
  }

  it('the contract has no other priced operation', () => {
    const known = new Set(readRows(endpoints).map(({ Path: path }) => path));
    // Specified beside the service specification.
    known.add('/api/events');
    for (const { path, priceUsd } of operations) if (priceUsd !== undefined) assert.ok(known.has(path), path);
  });
}

/** Parts such as "min_price (number)"; empty when the cell names none. */
function readParameters(cell: string): { name: string; type: string }[] {
  if (cell === 'none' || cell === 'see gap list') return [];
  return [...cell.matchAll(/([a-z_]+)(?: \(([^)]*)\))?(?:, |$)/g)].map(([, name = '', type = '']) => ({ name, type }));
}

/** Invalid values of each type. A parameter without a type in the specification uses its own type. */
const wrongTexts = {
  string: [] as string[],
  array: [] as string[],
  number: ['cheap', '0x10', 'NaN', ' ', '1,5', '--1'],
  integer: ['cheap', '1.5', 'NaN', '0x10'],
  boolean: ['yes', '1', 'TRUE'],
};

async function assertParameter(
  { app, settler }: Served,
  operation: ContractOperation,
  name: string,
  specified: string,
): Promise<void> {
  const parameter = operation.parameters.find((each) => each.name === name);
  assert.ok(parameter, `${operation.operationId} takes no ${name}`);
  const [type = ''] = specified.split(/[ ,;]/);
  // A list takes one text too.
  if (type in wrongTexts) assert.equal(parameter.type === 'array' ? 'string' : parameter.type, type);
  assert.equal(parameter.in, specified.startsWith('path') ? 'path' : 'query');
  if (parameter.in === 'path') return assert.ok(parameter.required);
  const isDate = name.endsWith('_date');
  const wrong = [
    ...wrongTexts[parameter.type],
    ...(isDate ? ['2026-02-30', '12/01/2026', '2026-12-01T00:00:00Z'] : []),
    ...(specified.includes('two letters') ? ['Ohio', 'O', '1A'] : []),
    ...(specified.includes('Hot, Warm or Pass') ? ['hot', 'Cold'] : []),
    ...(specified.includes('0-100') ? ['-1', '101'] : []),
  ];
  const payment = await signPayment(await askPrice(app.url + livePath(app, operation.path)));
  const before = settler.settled.length;
  for (const text of [...wrong, '']) {
    const query = new URLSearchParams({ [name]: text }).toString();
    const target = `${operation.path}?${query}`;
    const unpaid = JSON.parse((await ask(app.url, target)).body.toString()) as { errors: { parameter: string }[] };
    assert.ok(
      unpaid.errors.some((fault) => fault.parameter === name),
      `${name}=${text} is told before it is paid for`,
    );
    const paid = await ask(app.url, target, { headers: { 'PAYMENT-SIGNATURE': payment } });
    assert.equal(paid.status, 400, `${name}=${text}`);
  }
  assert.equal(settler.settled.length, before, 'none of these was charged');
}
