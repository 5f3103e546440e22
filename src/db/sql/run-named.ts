import type { Knex } from 'knex';

/** An SQL statement that is parsed once per connection. `text` uses $1, $2, ... */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

interface NamedConnection {
  query(
    statement: NamedStatement & { values: readonly unknown[] },
  ): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}

/**
 * Runs a named statement on one connection of the pool, outside any transaction. For the few statements of a paid
 * request: a named statement saves a parse and a plan, most of all on the embedded database.
 */
export async function runNamed(
  knex: Knex,
  statement: NamedStatement,
  values: readonly unknown[],
): Promise<{ rows: Record<string, unknown>[]; rowCount: number }> {
  const connection = (await knex.client.acquireConnection()) as NamedConnection;
  const begunMs = performance.now();
  let error: unknown;
  try {
    const { rows, rowCount } = await connection.query({ ...statement, values });
    return { rows, rowCount: rowCount ?? 0 };
  } catch (cause) {
    error = cause;
    throw cause;
  } finally {
    knex.client.emit(named, { name: statement.name, ms: performance.now() - begunMs, error });
    await knex.client.releaseConnection(connection);
  }
}

const named = 'named';

/** Hears of each named statement when it ends; knex tells of all others by itself. */
export function onNamed(
  knex: Knex,
  hear: (statement: { readonly name: string; readonly ms: number; readonly error: unknown }) => void,
): void {
  knex.client.on(named, hear);
}
