import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Database } from '../../../src/db/database.js';
import { joinTexts, splitTexts } from '../../../src/db/sql/joined-texts.js';
import { openTestDatabase } from '../../support/database.js';

describe('JSON texts sent to the database as one value', () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  async function bringAll(texts: readonly (string | undefined)[]): Promise<(string | null)[]> {
    const { rows } = await database.knex.raw<{ rows: { text: string | null }[] }>(
      `select text from ${splitTexts(':texts')} with ordinality as r(text, place) order by place`,
      { texts: joinTexts(texts) },
    );
    return rows.map(({ text }) => text);
  }

  it('arrive unchanged, with any content', async () => {
    const storable = fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !/[\0\ud800-\udfff]/.test(text));
    const texts = [...fc.sample(storable, 500), '\u001e', '"', '\\', '\n', "'"].map((text) => JSON.stringify({ text }));
    assert.deepEqual(await bringAll(texts), texts);
  });

  it('arrive as null where a text is missing', async () => {
    assert.deepEqual(await bringAll(['{}', undefined, '[]']), ['{}', null, '[]']);
    assert.deepEqual(await bringAll([undefined, undefined]), [null, null]);
  });
});
