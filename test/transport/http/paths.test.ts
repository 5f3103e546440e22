import assert from 'node:assert/strict';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createInstantSettler, type InstantSettler } from '../../support/instant-settler.js';
import { askPrice, signPayment } from '../../support/pay.js';
import { ask, assertProblem, parseReply, speak } from '../../support/raw-http.js';

describe('the path of a request', () => {
  let app: TestApp;
  let settler: InstantSettler;
  let payment: string;
  before(async () => {
    settler = createInstantSettler();
    app = await startTestApp({ settler });
    payment = await signPayment(await askPrice(`${app.url}/api/deals`));
  });
  after(() => app.stop());

  /** Sends a target that must not match, with a payment that would buy something. */
  async function assertNowhere(target: string): Promise<void> {
    const reply = await ask(app.url, target, { headers: { 'PAYMENT-SIGNATURE': payment } });
    assertProblem(reply, 404, 'not_found');
    assert.equal(settler.settled.length, 0, target);
  }

  const tricks = [
    ['a trailing slash', '/api/deals/'],
    ['two trailing slashes', '/api/deals//'],
    ['another case', '/API/deals'],
    ['another case within', '/api/Deals'],
    ['a double slash in front', '//api/deals'],
    ['a double slash within', '/api//deals'],
    ['an encoded slash', '/api%2Fdeals'],
    ['an encoded slash in lower case', '/api%2fdeals'],
    ['an encoded letter', '/api/d%65als'],
    ['a dot segment', '/api/./deals'],
    ['an encoded dot segment', '/api/%2e/deals'],
    ['a way up and down again', '/api/meta/../deals'],
    ['an encoded way up', '/api/meta/%2e%2e/deals'],
    ['a way out', '/../api/deals'],
    ['a semicolon parameter', '/api/deals;a=b'],
    ['a suffix', '/api/deals.json'],
    ['an encoded line feed', '/api/deals%0A'],
    ['an encoded NUL', '/api/deals%00'],
    ['an encoded blank', '/api/deals%20'],
    ['an encoded question mark', '/api/deals%3Fstate=OH'],
    ['a backslash', '/api\\deals'],
    ['a fragment', '/api/deals#x'],
    ['broken percent-encoding', '/api/%zz'],
    ['a double slash alone', '//'],
    ['a deeper path', '/api/deals/hot/x'],
    ['an empty token', '/api/pages/'],
    ['a token with a slash', '/api/pages/abcdefgh/abcdefgh'],
  ] as const;
  for (const [name, target] of tricks) {
    it(`matches nothing with ${name}: ${target}`, () => assertNowhere(target));
  }

  for (const [name, target] of [
    ['a line feed', '/api/deals\n'],
    ['a carriage return', '/api/deals\r'],
    ['a tab', '/api/\tdeals'],
    ['a NUL', '/api/deals\0'],
  ] as const) {
    it(`is unreadable with ${name} in it, and sells nothing`, async () => {
      const reply = parseReply(await speak(app.url, `GET ${target} HTTP/1.1\r\nPAYMENT-SIGNATURE: ${payment}\r\n\r\n`));
      assertProblem(reply, 400);
      assert.equal(settler.settled.length, 0);
    });
  }

  it('matches nothing in absolute form, for any host', async () => {
    for (const host of ['evil.example', '127.0.0.1']) await assertNowhere(`http://${host}/api/deals`);
  });

  it('is not taken from proxy headers', async () => {
    const headers = { 'X-Original-URL': '/api/meta', 'X-Rewrite-URL': '/api/meta', 'X-HTTP-Method-Override': 'GET' };
    assertProblem(await ask(app.url, '/api/nothing', { headers }), 404);
    assertProblem(await ask(app.url, '/api/meta', { headers, method: 'DELETE' }), 405);
  });

  it('passes a path parameter unchanged, as a single segment', async () => {
    for (const token of [
      'a'.repeat(20),
      '1'.repeat(20),
      '0x1234567890123456',
      '1e10000000000000',
      '-1234567890123456',
    ]) {
      const body = assertProblem(await ask(app.url, `/api/pages/${token}`), 404, 'not_found');
      assert.match(String(body['detail']), /page token/);
    }
  });

  it('is refused when a path parameter is badly encoded, too short, too long or has other characters', async () => {
    for (const token of [
      '%zz',
      '%',
      '%c3',
      'short',
      'x'.repeat(3000),
      `${'a'.repeat(20)}%2Fb`,
      `${'a'.repeat(20)}%00`,
    ]) {
      const body = assertProblem(await ask(app.url, `/api/pages/${token}`), 400, 'invalid_parameter');
      assert.match(JSON.stringify(body['errors']), /"parameter":"token","in":"path"/);
    }
  });

  it('is refused with badly encoded queries by name: listed in the 402, 400 when free or paid', async () => {
    const query = 'city=%E0%A4%A';
    const unpaid = assertProblem(await ask(app.url, `/api/deals?${query}`), 402, 'invalid_parameter');
    assert.match(JSON.stringify(unpaid['errors']), /"parameter":"city"/);
    const headers = { 'PAYMENT-SIGNATURE': payment };
    assertProblem(await ask(app.url, `/api/deals?${query}`, { headers }), 400, 'invalid_parameter');
    assertProblem(await ask(app.url, `/api/meta?${query}`), 400, 'unknown_parameter');
    assert.equal(settler.settled.length, 0);
  });

  it('still sells at the exact address, so that the attacks above had a target', async () => {
    const reply = await ask(app.url, '/api/deals?limit=1', { headers: { 'PAYMENT-SIGNATURE': payment } });
    assert.equal(reply.status, 200);
    assert.equal(settler.settled.length, 1);
  });
});
