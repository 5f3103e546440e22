import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { livePath } from '../support/live-path.js';
import { nothingMatches } from '../support/nothing-matches.js';
import { ask, priceAlone, priceToldBy } from '../support/raw-http.js';

describe('an unpaid request to a paid operation', () => {
  let app: TestApp;
  before(async () => void (app = await startTestApp({})));
  after(() => app.stop());

  for (const { path, priceUsd } of loadContract().operations) {
    if (priceUsd === undefined) continue;

    it(`learns from ${path} the price and its own request, whether there is anything to sell or not`, async () => {
      const targets = [livePath(app, path), nothingMatches[path] ?? path];
      const [one, other] = await Promise.all(targets.map(async (target) => priceAlone(await ask(app.url, target))));
      assert.deepEqual(one, other);
      for (const target of targets)
        assert.equal((await ask(app.url, target, { method: 'HEAD' })).status, 402, `HEAD ${target}`);
    });

    it(`is told by ${path} beside the price what is wrong with its parameters`, async () => {
      const [live] = livePath(app, path).split('?');
      const { errors } = priceToldBy(await ask(app.url, `${live}?colour=red`)) as { errors: { parameter: string }[] };
      assert.ok(errors.some(({ parameter }) => parameter === 'colour'));
    });
  }

  it('is told of an address that cannot be read beside whatever else is wrong, once', async () => {
    const told = priceToldBy(await ask(app.url, '/api/lookup?adress=x&address=hello%20world')) as {
      errors: { parameter: string; reason: string }[];
    };
    assert.deepEqual(
      told.errors.map(({ parameter, reason }) => `${parameter} ${reason}`),
      ['adress unknown_parameter', 'address address_not_parsed'],
    );
    const short = priceToldBy(await ask(app.url, '/api/lookup?address=x')) as { errors: unknown[] };
    assert.equal(short.errors.length, 1);
  });
});
