import assert from 'node:assert/strict';
import { describeFailure } from '../../jobs/describe-failure.js';

describe('describeFailure', () => {
  it('keeps an ordinary message unchanged', () => {
    assert.equal(describeFailure(new Error('upstream answered 503')), 'upstream answered 503');
    assert.equal(describeFailure('thrown text'), 'thrown text');
    assert.equal(describeFailure(new RangeError()), 'RangeError');
  });

  it("returns the database's message, without the statement before it", () => {
    const refused = Object.assign(new Error(`insert into listings ${'x'.repeat(900)} - disk full`), { code: '53100' });
    assert.equal(describeFailure(refused), 'disk full');
  });

  it("keeps the whole message of an operating system's error", () => {
    const denied = Object.assign(new Error("EPERM: operation not permitted, open '/data/a - b.csv'"), {
      code: 'EPERM',
    });
    assert.equal(describeFailure(denied), "EPERM: operation not permitted, open '/data/a - b.csv'");
  });

  it('removes text that looks like a secret', () => {
    const key = 'a'.repeat(64);
    const message = describeFailure(
      new Error(`GET https://user:hunter2@host/x?api_key=k123&page=2 token: "t456" 0x${key} ${key} secret=s789`),
    );
    assert.equal(message, 'GET https://***@host/x?api_key=***&page=2 token: *** *** *** secret=***');
  });

  it('keeps at most 500 characters on one line that any database can store', () => {
    assert.equal([...describeFailure(new Error('😀'.repeat(600)))].length, 500);
    assert.equal(describeFailure(new Error('one\n\ttwo\u0000three \ud800')), 'one two three \ufffd');
  });
});
