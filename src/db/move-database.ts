import type { Knex } from 'knex';
import { OperatorError } from '../errors.js';
import type { Log } from '../log.js';
import { readSchema } from './migrate.js';
import { openDatabase, type DatabaseOptions } from './open-database.js';
import { openPostgres } from './open-postgres.js';
import { inTransaction } from './transaction.js';

/** The money, which a local chain made up; and who runs what, who asks for what. */
const left = [
  ...['payments', 'payment_bodies', 'refunds', 'orphan_transfers', 'settlers', 'ledger_audits', 'ledger_restores'],
  ...['relayer_transactions', 'relayer_leases', 'lead_holds', 'job_runs', 'instances', 'demand'],
];
/** What the schema knows of itself. */
const ofSchema = ['knex_migrations', 'knex_migrations_lock', 'schema_state'];
/** What is written when a schema is made. */
const seeded = [...ofSchema, 'takedown_number', 'feed_changes'];

const pageRows = 500;
const statementTimeoutMs = 600_000;

/** What was moved, in numbers. */
export interface Moved {
  readonly tables: number;
  readonly rows: number;
}

/**
 * Copies everything but the money, and what instances keep of themselves, into an empty PostgreSQL: all of it, or
 * nothing. What is copied stays where it was.
 *
 * @throws OperatorError when an instance uses the database, or the other one is not empty or cannot be used
 */
export async function moveDatabase(
  options: DatabaseOptions,
  toUrl: string,
  log: Log,
  onProgress: (moved: Moved) => void,
): Promise<Moved> {
  if (!/^postgres(ql)?:\/\//.test(toUrl) || !URL.canParse(toUrl))
    throw new OperatorError('--to takes the address of a PostgreSQL: postgres://user:password@host:port/database');
  const from = await openDatabase(options, log);
  try {
    await refuseInUse(from.knex);
    const to = await openTarget(toUrl, log);
    try {
      await refuseOtherSchema(from.knex, to.knex);
      await refuseFilled(to.knex);
      return await inTransaction(
        from.knex,
        (reading) => inTransaction(to.knex, (writing) => copyTables(reading, writing, onProgress)),
        { isolation: 'repeatable read' },
      );
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function openTarget(url: string, log: Log) {
  return openPostgres({ url, statementTimeoutMs }, log).catch((error: unknown) => {
    throw error instanceof OperatorError ? new OperatorError(`--to: ${error.message}`, { cause: error }) : error;
  });
}

async function refuseInUse(from: Knex): Promise<void> {
  const { rows } = await from.raw<{ rows: { name: string }[] }>(
    `select name from instances where seen_at > now() - interval '30 seconds' limit 1`,
  );
  if (rows[0] !== undefined)
    throw new OperatorError(
      `Instance ${rows[0].name} uses the database. Stop every instance first; one that was killed counts for half a minute.`,
    );
}

async function refuseOtherSchema(from: Knex, to: Knex): Promise<void> {
  const newer = (await readSchema(from)).newer + (await readSchema(to)).newer;
  if (newer > 0)
    throw new OperatorError('A database has the schema of a later release. Move with the program of that release.');
}

async function refuseFilled(to: Knex): Promise<void> {
  for (const table of await listTables(to, seeded))
    if ((await to(table).first(to.raw('1'))) !== undefined)
      throw new OperatorError(`The database in --to is not empty: ${table} has rows. Give it a new database.`);
}

async function listTables(knex: Knex, without: readonly string[]): Promise<readonly string[]> {
  const { rows } = await knex.raw<{ rows: { table: string }[] }>(
    'select tablename as "table" from pg_tables where schemaname = current_schema() order by tablename',
  );
  return rows.map(({ table }) => table).filter((table) => !without.includes(table));
}

async function copyTables(reading: Knex, writing: Knex, onProgress: (moved: Moved) => void): Promise<Moved> {
  let [tables, rows] = [0, 0];
  for (const table of await listTables(reading, [...left, ...ofSchema])) {
    await writing(table).delete();
    for await (const page of readPages(reading, table)) {
      // As text of JSON each value is exactly what it was, whatever its type.
      await writing.raw('insert into ?? select * from json_populate_recordset(null::??, ?)', [table, table, page.text]);
      onProgress({ tables, rows: (rows += page.rows) });
    }
    const [had, has] = [await countRows(reading, table), await countRows(writing, table)];
    if (had !== has) throw new Error(`${table} had ${had} rows, and ${has} arrived`);
    tables++;
  }
  await raiseSequences(writing);
  return { tables, rows };
}

async function* readPages(reading: Knex, table: string) {
  await reading.raw('declare page no scroll cursor for select row_to_json(t)::text as "row" from ?? as t', [table]);
  for (;;) {
    const { rows } = await reading.raw<{ rows: { row: string }[] }>(`fetch ${pageRows} from page`);
    if (rows.length === 0) break;
    yield { rows: rows.length, text: `[${rows.map(({ row }) => row).join(',')}]` };
  }
  await reading.raw('close page');
}

async function countRows(knex: Knex, table: string): Promise<string> {
  const { rows } = await knex.raw<{ rows: [{ n: string }] }>('select count(*) as n from ??', [table]);
  return rows[0].n;
}

/** Rows that came with their numbers have not used up those of the sequence. */
async function raiseSequences(writing: Knex): Promise<void> {
  const { rows } = await writing.raw<{ rows: { table: string; column: string }[] }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = current_schema() and column_default like 'nextval(%'`,
  );
  for (const { table, column } of rows.filter((each) => !ofSchema.includes(each.table)))
    await writing.raw(`select setval(pg_get_serial_sequence(?, ?), greatest(max(??), 1)) from ??`, [
      ...[table, column, column, table],
    ]);
}
