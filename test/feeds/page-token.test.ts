import assert from 'node:assert/strict';
import { createPageTokens, pageTokenMs, type PageCapability } from '../../src/feeds/page-token.js';

const capability: PageCapability = {
  feed: 'deals',
  view: 'full',
  filter: { state: 'OH', city: 'Köln "x"' },
  limit: 50,
  after: { dealScore: 70, confidenceHundredths: 85, id: '3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11' },
  feedVersion: 3,
  expiresAt: Date.UTC(2026, 10, 21, 12),
};
const early = new Date(capability.expiresAt - 1);

describe('page tokens', () => {
  const tokens = createPageTokens(['a secret that all instances share']);

  it('give back what they were issued for, on any instance with the same secret', () => {
    const token = tokens.issue(capability);
    assert.match(token, /^[A-Za-z0-9_.-]{16,2048}$/);
    assert.deepEqual(tokens.redeem(token, early), capability);
    assert.deepEqual(createPageTokens(['a secret that all instances share']).redeem(token, early), capability);
    // Twice, because a redeemed token is remembered.
    assert.deepEqual(tokens.redeem(token, early), capability);
  });

  it('expire at their time, also when they were redeemed before', () => {
    const token = tokens.issue(capability);
    assert.equal(tokens.redeem(token, new Date(capability.expiresAt)), 'expired');
    assert.deepEqual(tokens.redeem(token, early), capability);
    assert.equal(tokens.redeem(token, new Date(capability.expiresAt + pageTokenMs)), 'expired');
  });

  it('are worth nothing under another secret, or when any letter of them is changed', () => {
    const token = tokens.issue(capability);
    assert.equal(createPageTokens(['another secret']).redeem(token, early), undefined);
    for (let index = 0; index < token.length - 1; index++) {
      const changed = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1);
      assert.equal(tokens.redeem(changed, early), undefined, `letter ${index}`);
    }
  });

  it('are refused in silence when they are no tokens at all', () => {
    for (const token of ['', '.', '..', 'a.b', 'a.b.c', `${tokens.issue(capability)}.`, 'null', '{}', 'é.é']) {
      assert.equal(tokens.redeem(token, early), undefined, token);
    }
  });

  it('redeems what was issued with another secret that is accepted, and issues with the one in use', () => {
    const [before, between, after] = [['old', 'new'], ['new', 'old'], ['new']] as const;
    const early = new Date(capability.expiresAt - 1);
    const redeem = (by: readonly [string, ...string[]], token: string) => createPageTokens(by).redeem(token, early);
    const [old, fresh] = [createPageTokens(before).issue(capability), createPageTokens(between).issue(capability)];
    assert.deepEqual(redeem(between, old), capability);
    assert.deepEqual([redeem(before, fresh), redeem(after, fresh)], [capability, capability]);
    assert.equal(redeem(after, old), undefined);
  });
});
