import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import { reasons } from '../../src/errors.js';
import { problemKindOf } from '../../src/operations/problem.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { ask } from '../support/raw-http.js';
import { attributeOf, readHtml, textOf } from './read-html.js';

describe('the error guide', () => {
  let app: TestApp;
  let entries: ReturnType<typeof readHtml>;
  before(async () => {
    app = await startTestApp({ withData: false, settler: createInstantSettler() });
    const { body } = await ask(app.url, '/errors');
    entries = readHtml(body.toString()).filter(({ tagName }) => tagName === 'article');
  });
  after(() => app.stop());

  const idOf = (entry: (typeof entries)[number]): string => attributeOf(entry, 'id') ?? '';

  it('has one entry for each reason of the contract, with status, billing and remedy', () => {
    const declared = loadContract().document.components['schemas']?.['Reason'] as { enum: readonly string[] };
    assert.deepEqual(entries.map(idOf).sort(), [...declared.enum].sort());
    for (const reason of reasons) {
      const text = textOf(entries.find((entry) => idOf(entry) === reason) ?? assert.fail(reason));
      const { status, title } = problemKindOf(reason);
      assert.ok(text.includes(`${reason} ${status} ${title}`), reason);
      const parts = /What happened(.+)Billed(.+)What to do(.+)Again(.+)/s.exec(text) ?? assert.fail(reason);
      for (const part of parts.slice(1)) assert.ok(part.trim().length > 20, `${reason}: ${part}`);
      assert.doesNotMatch(text, /`|undefined/);
    }
  });

  it('tells to send the very same payment again exactly when the problem does', () => {
    for (const reason of reasons) {
      const text = textOf(entries.find((entry) => idOf(entry) === reason) ?? assert.fail(reason));
      assert.equal(/Yes: the very same payment/.test(text), problemKindOf(reason).samePayment, reason);
    }
  });

  it("is the target of an error's `type`", async () => {
    for (const target of ['/api/nothing', '/api/deals', '/api/deals?foo=1', '/api/deals/{id}/report']) {
      const { body } = await ask(app.url, target);
      const { type } = JSON.parse(body.toString()) as { type: string };
      const [path, anchor] = type.split('#');
      assert.equal(path, '/errors');
      assert.ok(
        entries.some((entry) => idOf(entry) === anchor),
        type,
      );
    }
  });
});
