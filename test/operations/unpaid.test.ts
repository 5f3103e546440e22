import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { livePath } from '../support/live-path.js';
import { nothingMatches } from '../support/nothing-matches.js';
import { ask, assertProblem, priceAlone, type RawReply } from '../support/raw-http.js';

describe('an unpaid request to a paid operation', () => {
  let app: SharedApp;
  before(async () => void (app = await shareApp()));

  for (const { path, priceUsd } of loadContract().operations) {
    if (priceUsd === undefined) continue;

    it(`learns from ${path} the price and its own request, whether there is anything to sell or not`, async () => {
      const targets = [livePath(app, path), nothingMatches[path] ?? path];
      const [one, other] = await Promise.all(targets.map(async (target) => priceAlone(await ask(app.url, target))));
      assert.deepEqual(one, other);
      for (const target of targets)
        assert.equal((await ask(app.url, target, { method: 'HEAD' })).status, 402, `HEAD ${target}`);
    });

    it(`is told by ${path} what is wrong with its parameters, and nothing else`, async () => {
      const [live] = livePath(app, path).split('?');
      const errors = faultsToldBy(await ask(app.url, `${live}?colour=red`));
      assert.ok(errors.some(({ parameter }) => parameter === 'colour'));
    });
  }

  it('is told of an address that cannot be read beside whatever else is wrong, once', async () => {
    assert.deepEqual(
      faultsToldBy(await ask(app.url, '/api/lookup?adress=x&address=hello%20world')).map(
        ({ parameter, reason }) => `${parameter} ${reason}`,
      ),
      ['adress unknown_parameter', 'address address_not_parsed'],
    );
    assert.equal(faultsToldBy(await ask(app.url, '/api/lookup?address=x')).length, 1);
  });

  it('is answered in a thousand bytes at most, however much is wrong', async () => {
    const wide = encodeURIComponent('\u{1f600}'.repeat(60));
    for (const query of [
      Array.from({ length: 64 }, (_, index) => `colour${index}=red`).join('&'),
      `${wide}=1&${wide}x=1`,
      `${'"'.repeat(90)}=1`,
      'metro=nowhere&foo=1&state=Ohio&property_type=castle',
      'x'.repeat(5_000),
    ])
      for (const path of ['/api/deals', '/api/leads/exclusive', '/api/lookup'])
        assert.ok(faultsToldBy(await ask(app.url, `${path}?${query}`)).length > 0);
  });
});

/** The faults of a 402 that is about them alone: the price is in its header only. */
function faultsToldBy(reply: RawReply): readonly Readonly<Record<'parameter' | 'reason', string>>[] {
  const told = assertProblem(reply, 402);
  const errors = told['errors'] as { parameter: string; reason: string }[];
  assert.deepEqual([told['title'], told['reason']], ['Correct the request first', errors[0]?.reason]);
  for (const name of ['accepts', 'resource', 'extensions', 'x402Version', 'error']) assert.ok(!(name in told), name);
  assert.match(Buffer.from(String(reply.headers['payment-required']), 'base64').toString(), /"accepts":\[\{/);
  assert.ok(reply.body.length <= 1_000, String(reply.body.length));
  return errors;
}
