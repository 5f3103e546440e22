import assert from 'node:assert/strict';
import { OperatorError } from '../../src/errors.js';
import { openHashKey } from '../../src/secrets/hash-key-store.js';
import type { Database } from '../../src/db/database.js';
import { openTestDatabase } from '../support/database.js';

const [old, fresh] = ['the first secret of this service, long', 'the second secret of this service, long'];

describe('the key of the hashes that the database keeps', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  const open = (...secrets: readonly [string, ...string[]]) => openHashKey(database.knex, secrets);
  const wrapped = async () =>
    String((await database.knex('server_keys').first<{ wrapped: Buffer }>('wrapped')).wrapped.toString('hex'));

  it('is the same at every start and on every instance, whoever comes first', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => open(old)));
    assert.deepEqual([...new Set(keys)], [await open(old)]);
  });

  it('stays what it is when the secret is changed, and then needs the former one no more', async () => {
    const key = await open(old);
    assert.equal(await open(fresh, old), key);
    assert.equal(await open(fresh), key);
    await assert.rejects(open(old), OperatorError);
  });

  it('can be had with the secret that comes next, before that is in use', async () => {
    const key = await open(old, fresh);
    const before = await wrapped();
    assert.equal(await open(old), key);
    assert.equal(await wrapped(), before);
    assert.deepEqual([await open(fresh, old), await open(old, fresh)], [key, key]);
  });

  it('is given to nobody without a secret that opens it, and the database does not tell it', async () => {
    const key = await open(old);
    await assert.rejects(open(fresh), /SERVER_SECRET_PREVIOUS/);
    assert.ok(
      !Buffer.from(await wrapped(), 'hex')
        .toString('latin1')
        .includes(key),
    );
    await database.knex('server_keys').update({ wrapped: Buffer.alloc(60) });
    await assert.rejects(open(old), OperatorError);
  });
});
