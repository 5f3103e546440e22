import type { Knex } from 'knex';
import { OperatorError } from '../errors.js';
import type { Secrets } from './secrets.js';
import { unwrapKey, wrapKey } from './wrap-key.js';

const name = 'hashes';

interface Wrapped {
  readonly wrapped: Buffer;
}

/**
 * The key of the keyed hashes that the database keeps permanently: suppressions and buyers' own identifiers. It is
 * stored encrypted under the current secret, so the secret can change while the hashes stay valid. A key encrypted
 * under another accepted secret is encrypted again under the current one.
 *
 * @throws OperatorError when none of the secrets decrypts it
 */
export async function openHashKey(knex: Knex, secrets: Secrets): Promise<string> {
  const [current, ...others] = secrets;
  const read = async () => (await knex('server_keys').where({ name }).first<Wrapped | undefined>('wrapped'))?.wrapped;
  let wrapped = await read();
  if (wrapped === undefined) {
    // The first key is the secret itself: hashes older than the key were made with it.
    const first = { name, wrapped: wrapKey(current, current) };
    await knex('server_keys').insert(first).onConflict('name').ignore();
    wrapped = (await read()) ?? first.wrapped;
  }
  const key = unwrapKey(wrapped, current);
  if (key !== undefined) return key;
  for (const other of others) {
    const found = unwrapKey(wrapped, other);
    if (found === undefined) continue;
    // An instance that was faster wrote the same.
    await knex('server_keys')
      .where({ name, wrapped })
      .update({ wrapped: wrapKey(found, current) });
    return found;
  }
  throw new OperatorError(
    'The database was used with another SERVER_SECRET. Start with that one, or set it as SERVER_SECRET_PREVIOUS beside the new one.',
  );
}
