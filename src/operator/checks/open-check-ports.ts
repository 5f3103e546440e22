import { setTimeout as delay } from 'node:timers/promises';
import type { JudgedConfig } from '../../config/config.js';
import { createPostgresKnex } from '../../db/create-knex.js';
import type { Log } from '../../log.js';
import { createChainClient } from '../../payments/chain/clients.js';
import { createFacilitatorAuth } from '../../payments/settlement/facilitator/facilitator-auth.js';
import { createFacilitatorClient } from '../../payments/settlement/facilitator/facilitator-client.js';
import { addressesOf } from '../../payments/settlement/key-roles.js';
import type { CheckPorts } from './check.js';
import { readDatabaseFacts, type DatabaseFacts } from './database-reader.js';

/** The database has `limitMs` for everything that is asked of it; see `lookOnce`. */
const limitMs = 3_500;

/** What the checks of a configuration ask, beside what runs. Close it when they have looked. */
export interface OpenCheckPorts extends CheckPorts {
  close(): Promise<void>;
}

/**
 * Opens connections of their own for the checks; each is made when it is first needed.
 *
 * @param asksDatabase false where another database than the configured one is in use
 */
export function openCheckPorts(
  { config, findings }: JudgedConfig,
  { now, log, asksDatabase = true }: { readonly now: () => Date; readonly log: Log; readonly asksDatabase?: boolean },
): OpenCheckPorts {
  const { payment, databaseUrl: url } = config;
  const [facilitator] = payment?.facilitators ?? [];
  const knex =
    url === undefined || !asksDatabase
      ? undefined
      : createPostgresKnex({ url, poolSize: 2, statementTimeoutMs: limitMs, connectionTimeoutMs: limitMs - 500 }, log);
  let facts: Promise<DatabaseFacts> | undefined;
  return {
    config,
    findings,
    chain: payment && {
      ...payment,
      client: createChainClient(payment),
      relayers: addressesOf(payment.relayerKeys),
    },
    askFacilitator:
      facilitator &&
      (() => {
        const { url: base, ...credentials } = facilitator;
        const client = createFacilitatorClient({ url: base, authorize: createFacilitatorAuth(credentials, { now }) });
        return client.supports(payment?.network.id ?? '');
      }),
    readFacts() {
      if (knex === undefined) return Promise.reject(new NotAsked('no PostgreSQL server is configured'));
      return (facts ??= Promise.race([readDatabaseFacts(knex), late()]));
    },
    now,
    async close() {
      await knex?.destroy();
    },
  };
}

async function late(): Promise<never> {
  await delay(limitMs, undefined, { ref: false });
  throw new Error('timeout: the database does not answer');
}

/** There is no server to ask. */
class NotAsked extends Error {
  override readonly name = 'NotAsked';
}
