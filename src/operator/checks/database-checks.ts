import { findIf, type Check, type CheckPorts, type Finding } from './check.js';
import { describeDue } from '../../db/migrate.js';
import { judgeHost, judgeLogin, judgeReach } from './database-url.js';
import type { DatabaseContent, DatabaseFacts } from './database-reader.js';

/** The PostgreSQL server in DATABASE_URL. */
export const databaseChecks: readonly Check[] = [
  {
    id: 'database.reach',
    severity: 'not_ready',
    at: ['told', 'doctor'],
    finds: 'the database does not answer',
    cure: 'Start it, or correct the host and port in DATABASE_URL.',
    look: (ports) => onFailure(ports, judgeReach),
  },
  {
    id: 'database.login',
    severity: 'refuse',
    at: ['start', 'doctor'],
    finds: 'password, role, database, pg_hba.conf or TLS is not as DATABASE_URL says',
    cure: 'Correct DATABASE_URL, or the rights of its role.',
    look: (ports) => judgeHost(ports.config.databaseUrl) ?? onFailure(ports, judgeLogin),
  },
  {
    id: 'database.version',
    severity: 'refuse',
    at: ['start', 'doctor'],
    finds: 'PostgreSQL below 15, or not UTF8 (refused); above 18',
    cure: 'Use a PostgreSQL of version 15 to 18, with a database in UTF8.',
    look: withFacts(judgeVersion),
  },
  {
    id: 'database.privilege',
    severity: 'refuse',
    at: ['start', 'doctor'],
    finds: 'a migration is due, and the role may not create tables',
    cure: 'GRANT USAGE, CREATE ON SCHEMA public TO <role>;',
    look: withFacts(judgePrivilege),
  },
  {
    id: 'database.pooler',
    severity: 'refuse',
    at: ['start', 'doctor'],
    finds: 'a pooler that gives each transaction or statement another session, and no setting that says so',
    cure: 'DATABASE_POOLER=transaction',
    look: withFacts(judgePooler),
  },
  {
    id: 'database.session',
    severity: 'warn',
    at: ['start', 'doctor'],
    finds: 'behind a pooler, the role lacks defaults that each session needs',
    cure: "ALTER ROLE CURRENT_USER SET jit = 'off'; and so on, then RECONNECT in the pooler",
    look: withFacts(judgeSession),
  },
  {
    id: 'database.schema',
    severity: 'refuse',
    at: ['start', 'doctor'],
    finds:
      "the tables are another program's, or of a release too new for this one (refused); of an older one, while " +
      'MIGRATE_AT_START=false or a lock is waited for',
    cure: 'Give the service an empty database, or start the release that made it.',
    look: withFacts(judgeSchema),
  },
  {
    id: 'database.writable',
    severity: 'not_ready',
    at: ['live', 'told', 'doctor'],
    finds: 'it is read-only, a replica, or full; fewer than 64 MB for the embedded one',
    cure: 'Free its disk, or give the writer address.',
    why: 'The database of this service cannot be written.',
    look: async (ports) =>
      ports.freeBytes === undefined ? withFacts(judgeWritable)(ports) : judgeRoom(await ports.freeBytes()),
  },
  {
    id: 'database.pool',
    severity: 'warn',
    at: ['live', 'doctor'],
    isSlow: true,
    finds: 'too few connections for the pools of all instances',
    cure: 'Raise max_connections, or set a smaller DATABASE_POOL_SIZE.',
    look: async (ports) => judgePool(await ports.readContent(), ports),
  },
  {
    id: 'database.trust',
    severity: 'warn',
    at: ['doctor'],
    finds: 'a connection without proven TLS, or commits that may be lost',
    cure: 'Add ?sslmode=verify-full to DATABASE_URL.',
    look: withFacts(judgeTrust),
  },
];

function withFacts(judge: (facts: DatabaseFacts, ports: CheckPorts) => Finding | undefined): Check['look'] {
  return async (ports) => judge(await ports.readFacts(), ports);
}

async function onFailure(
  { readFacts }: CheckPorts,
  judge: (error: unknown) => Finding | undefined,
): Promise<Finding | undefined> {
  try {
    await readFacts();
    return undefined;
  } catch (error) {
    // Only a server that was asked has failed.
    if (error instanceof Error && error.name === 'NotAsked') throw error;
    return judge(error);
  }
}

function judgeVersion({ version, encoding }: DatabaseFacts): Finding | undefined {
  const major = Math.floor(version / 10_000);
  if (major < 15)
    return {
      sentence: `The server in DATABASE_URL is PostgreSQL ${major}; version 15 or newer is needed.`,
      cure: 'Upgrade it, or point DATABASE_URL at a newer one.',
    };
  if (encoding !== 'UTF8')
    return {
      sentence: `The database is encoded as ${encoding}.`,
      cure: 'createdb --encoding=UTF8 --template=template0',
    };
  if (major <= 18) return undefined;
  const sentence = `The server in DATABASE_URL is PostgreSQL ${major}, which nobody has tried.`;
  return { sentence, cure: 'Use version 15 to 18.', severity: 'warn' };
}

function judgePrivilege({ schema, mayCreate, user }: DatabaseFacts): Finding | undefined {
  if (mayCreate || schema.fault !== undefined || schema.pending.length === 0) return undefined;
  return {
    sentence: `The tables are to be made, and the role ${user} may not create any.`,
    cure: `GRANT USAGE, CREATE ON SCHEMA public TO ${user};`,
  };
}

function judgePooler({ pooling: { mode } }: DatabaseFacts, { config }: CheckPorts): Finding | undefined {
  if (mode === 'statement')
    return {
      sentence: 'The pooler before the database pools by statements, and so allows no transactions.',
      cure: 'pool_mode = transaction in the pooler, and DATABASE_POOLER=transaction',
    };
  return findIf(mode === 'transaction' && config.databasePooler === 'none', () => ({
    sentence: 'A pooler before the database pools by transactions, and DATABASE_POOLER does not say so.',
  }));
}

function judgeSession({ pooling: { lacking }, database }: DatabaseFacts, { config }: CheckPorts): Finding | undefined {
  const settings = Object.entries(lacking);
  if (config.databasePooler === 'none' || settings.length === 0) return undefined;
  const alter = `ALTER ROLE CURRENT_USER IN DATABASE ${database} SET`;
  const lines = settings.map(([name, value]) => `${alter} ${name} = '${value}';`);
  return {
    sentence: `Behind a pooler the role needs ${settings.length} defaults that it lacks.`,
    cure: [...lines, 'Then RECONNECT in the pooler.'].join('\n'),
  };
}

function judgeSchema(
  { schema: { fault, pending }, migrationWaits }: DatabaseFacts,
  { config }: CheckPorts,
): Finding | undefined {
  if (fault !== undefined || pending.length === 0) return fault;
  const [wait] = migrationWaits;
  if (wait !== undefined)
    return {
      severity: 'not_ready',
      sentence: `Session ${wait.pid} updates the schema, and waits for a lock of session ${wait.waitsFor.join(', ')}.`,
      cure: `Let that end, or end it: select pg_terminate_backend(${wait.waitsFor[0]});`,
    };
  return config.migrateAtStart ? undefined : { ...describeDue(pending), severity: 'not_ready' };
}

function judgeWritable({ isReadOnly, writeFault }: DatabaseFacts): Finding | undefined {
  const why = isReadOnly ? 'it is read-only, or a replica' : writeFault;
  return findIf(why !== undefined, () => ({ sentence: `The database cannot be written: ${why}.` }));
}

/** A log of its writes is 16 MB; without room for the next one it ends in the middle of a statement. */
const leastFreeBytes = 64 * 1024 * 1024;

function judgeRoom(freeBytes: number): Finding | undefined {
  const free = Math.floor(freeBytes / 1024 / 1024);
  return findIf(freeBytes < leastFreeBytes, () => ({
    sentence: `The disk of the embedded database has ${free} MB left: too few to sell.`,
    cure: 'Free the disk that has DATA_DIR.',
    figures: { free },
  }));
}

function judgePool(content: DatabaseContent, { config }: CheckPorts): Finding | undefined {
  const { maxConnections } = content;
  const instances = Math.max(content.instances, 1);
  const wanted = config.databasePoolSize * instances + 5;
  if (wanted <= maxConnections) return undefined;
  return {
    sentence: `${instances} instances may open ${wanted} connections, and the server takes ${maxConnections}.`,
    cure: `ALTER SYSTEM SET max_connections = ${wanted}, and a restart of the server; or a smaller DATABASE_POOL_SIZE.`,
    figures: { instances, wanted, maxConnections },
  };
}

function judgeTrust({ unsafe }: DatabaseFacts, { config: { databaseUrl } }: CheckPorts): Finding | undefined {
  const { hostname, searchParams } = new URL(databaseUrl ?? 'postgres://localhost');
  if (unsafe.length > 0)
    return {
      sentence: `The server may lose sales when its machine stops: ${unsafe.join(', ')} off.`,
      cure: [...unsafe.map((name) => `ALTER SYSTEM SET ${name} = on;`), 'SELECT pg_reload_conf();'].join(' '),
    };
  if (/^(localhost|127\.|\[::1\]|$)/.test(hostname) || searchParams.get('sslmode') === 'verify-full') return undefined;
  const sentence = 'Nobody proves that the database is the one that is meant: its connection has no verified TLS.';
  return { sentence };
}
