import type { Knex } from 'knex';
import { OperatorError } from '../errors.js';
import type { Secrets } from './secrets.js';
import { unwrapKey, wrapKey } from './wrap-key.js';

const name = 'hashes';

/**
 * The key of the keyed hashes that the database keeps for good: what must not be shown, and buyers' own identifiers. It
 * is kept there encrypted under the secret in use, so that the secret can be changed and the hashes stay what they are:
 * found under another secret that is accepted, it is encrypted anew.
 *
 * @throws OperatorError where none of the secrets opens it
 */
export async function openHashKey(knex: Knex, secrets: Secrets): Promise<string> {
  const [current, ...others] = secrets;
  // The first one is the secret itself: hashes of before there was a key were made under it.
  await knex('server_keys')
    .insert({ name, wrapped: wrapKey(current, current) })
    .onConflict('name')
    .ignore();
  const { wrapped } = await knex('server_keys').where({ name }).first<{ wrapped: Buffer }>('wrapped');
  const key = unwrapKey(wrapped, current);
  if (key !== undefined) return key;
  for (const other of others) {
    const found = unwrapKey(wrapped, other);
    if (found === undefined) continue;
    // Whoever was faster has done the same.
    await knex('server_keys')
      .where({ name, wrapped })
      .update({ wrapped: wrapKey(found, current) });
    return found;
  }
  throw new OperatorError(
    'The database was used with another SERVER_SECRET. Start with that one, or give it as SERVER_SECRET_PREVIOUS beside the new one.',
  );
}
