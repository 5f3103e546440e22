import type { Knex } from 'knex';
import type { Client } from 'pg';
import { serverSession } from './create-knex.js';

/** How connections reach the sessions of a server, and what these lack. */
export interface Pooling {
  /** transaction: each transaction has a session of a pooler. statement: each statement has. */
  readonly mode: 'session' | 'transaction' | 'statement';
  /** Settings that a session needs, and does not have by default. */
  readonly lacking: Readonly<Record<string, string>>;
}

const rounds = 3;

/**
 * Asks two connections which sessions they have, while one of them has a transaction: a pooler gives the other one
 * another session meanwhile. Both are opened for it, and closed.
 */
export async function readPooling(knex: Knex): Promise<Pooling> {
  const client = knex.client as { acquireRawConnection(): Promise<Client> };
  const one = await client.acquireRawConnection();
  const other = await client.acquireRawConnection();
  try {
    const lacking = await readLacking(one);
    for (let round = 0; round < rounds; round++) {
      const before = await readSession(one);
      await other.query('begin');
      const held = await readSession(other);
      const during = await readSession(one);
      await other.query('commit');
      if (during !== before || during === held) return { mode: 'transaction', lacking };
    }
    return { mode: 'session', lacking };
  } catch (error) {
    if (!/statement pooling/.test(String(error))) throw error;
    return { mode: 'statement', lacking: {} };
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

async function readSession(connection: Client): Promise<number> {
  const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

async function readLacking(connection: Client): Promise<Pooling['lacking']> {
  const needed = serverSession();
  const { rows } = await connection.query<{ name: string; setting: string }>({
    text: 'select name, setting from pg_settings where name = any($1)',
    values: [Object.keys(needed)],
  });
  const given = new Map(rows.map(({ name, setting }) => [name, setting]));
  return Object.fromEntries(Object.entries(needed).filter(([name, value]) => given.get(name) !== value));
}
