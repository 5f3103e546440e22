import { setTimeout as delay } from 'node:timers/promises';
import type { Config, JudgedConfig } from '../../config/config.js';
import { createPostgresKnex } from '../../db/create-knex.js';
import { createChainClient } from '../../payments/chain/clients.js';
import { createFacilitatorAuth } from '../../payments/settlement/facilitator/facilitator-auth.js';
import { createFacilitatorClient } from '../../payments/settlement/facilitator/facilitator-client.js';
import { addressesOf } from '../../payments/settlement/key-roles.js';
import type { CheckPorts, Timetable } from './check.js';
import { countUnknownNonces, readDatabaseFacts, readInFlight, type DatabaseFacts } from './database-reader.js';

/** What the database and the facilitator have for everything that is asked of them; see `lookOnce`. */
const limitMs = 3_500;
const limits = { poolSize: 2, statementTimeoutMs: limitMs, connectionTimeoutMs: limitMs - 500 };

/**
 * Opens connections of their own for the checks; each is made when it is first needed. Close it when they have looked.
 *
 * @param asksDatabase false where another database than the configured one is in use
 */
export function openCheckPorts(
  { config, findings }: JudgedConfig,
  {
    now,
    timetable = [],
    asksDatabase = true,
  }: { readonly now: () => Date; readonly timetable?: Timetable; readonly asksDatabase?: boolean },
): CheckPorts & { close(): Promise<void> } {
  const { payment, databaseUrl: url } = config;
  const knex =
    url === undefined || !asksDatabase
      ? undefined
      : createPostgresKnex({ ...limits, url, pooler: config.databasePooler });
  let facts: Promise<DatabaseFacts> | undefined;
  const readFacts = (): Promise<DatabaseFacts> => {
    if (knex === undefined) return Promise.reject(new NotAsked('no PostgreSQL server is configured'));
    return (facts ??= Promise.race([
      readDatabaseFacts(
        knex,
        timetable.map(({ job }) => job),
      ),
      late(),
    ]));
  };
  return {
    config,
    findings,
    chain: payment && {
      ...payment,
      client: createChainClient(payment),
      relayers: addressesOf(payment.relayerKeys),
    },
    askFacilitator: facilitatorOf(config, now),
    readFacts,
    async readContent() {
      const { content } = await readFacts();
      if (content === undefined) throw new Error('the tables are not there yet');
      return content;
    },
    async countUnknownNonces(relayer, used) {
      if (knex === undefined || payment === undefined) throw new NotAsked('no PostgreSQL server is configured');
      return countUnknownNonces(knex, payment.network.id, relayer, used);
    },
    async readInFlight(relayer, used) {
      if (knex === undefined || payment === undefined) throw new NotAsked('no PostgreSQL server is configured');
      return readInFlight(knex, payment.network.id, relayer, used);
    },
    timetable,
    now,
    async close() {
      await knex?.destroy();
    },
  };
}

/** Asks the facilitator that settles; undefined without one. */
export function facilitatorOf({ payment }: Config, now: () => Date): CheckPorts['askFacilitator'] {
  const [facilitator] = payment?.facilitators ?? [];
  if (payment === undefined || facilitator === undefined) return undefined;
  const { url, ...credentials } = facilitator;
  const authorize = createFacilitatorAuth(credentials, { now });
  const client = createFacilitatorClient({ url, authorize, timeouts: { verifyMs: limitMs, settleMs: limitMs } });
  return () => client.supports(payment.network.id);
}

async function late(): Promise<never> {
  await delay(limitMs, undefined, { ref: false });
  throw new Error('timeout: the database does not answer');
}

/** There is no server to ask. */
class NotAsked extends Error {
  override readonly name = 'NotAsked';
}
