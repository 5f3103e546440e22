import { openOperatorCommands, timetable } from '../jobs/open-operator-commands.js';
import { runVerb, type CliPorts } from './operator/cli/run-verb.js';
import { judgeConfig, readConfig, readListeningPlace, type Config } from './config/config.js';
import { diagnose } from './operator/checks/diagnose.js';
import { loadContract } from './contract/load-contract.js';
import { createValidators } from './contract/validators.js';
import { connectControlSocket } from './db/connect-control-socket.js';
import { moveDatabase } from './db/move-database.js';
import { databaseOptionsOf, migrateDatabase, openDatabase } from './db/open-database.js';
import { createRemoteCommands } from './operator/socket/remote-commands.js';
import { readEnvironment } from './config/environment.js';
import { OperatorError } from './errors.js';
import { createLog } from './log.js';
import { readServerSecrets } from './config/server-secrets.js';
import { openDemonstration } from './demo/open-demonstration.js';
import { createPageTokens } from './feeds/page-token.js';
import { openPublishing, prepareData } from './publishing/open-publishing.js';
import { openHashKey } from './secrets/hash-key-store.js';
import { openOperatorUpkeep } from './payments/open-upkeep.js';
import { confirm } from './terminal/confirm.js';

type OpenedCommands = Awaited<ReturnType<CliPorts['openOperatorCommands']>>;

/** Through the running server where it holds the data directory; else by opening the configured database. */
async function openConfiguredCommands(): Promise<OpenedCommands> {
  const { values, launch } = readEnvironment();
  const config = readConfig(values, launch);
  const socket = config.databaseUrl === undefined ? await connectControlSocket(config.dataDirectory) : undefined;
  if (socket === undefined) return openOwnCommands(config);
  return { commands: createRemoteCommands(socket), close: async () => void socket.destroy() };
}

async function openOwnCommands(config: Config): Promise<OpenedCommands> {
  const { dataDirectory: directory } = config;
  const now = (): Date => new Date();
  const log = createLog('warn');
  const database = await openDatabase(databaseOptionsOf(config), log);
  const contract = loadContract();
  const secrets = readServerSecrets(config);
  const demonstration = config.payment === undefined ? openDemonstration(directory) : undefined;
  await prepareData({ config, database, demonstration, now });
  const { pipeline, close } = await openPublishing({
    config,
    validators: createValidators(contract),
    version: contract.document.info.version,
    database,
    tokens: createPageTokens(secrets),
    hashKey: await openHashKey(database.knex, secrets),
    demonstration,
    now,
    log,
  });
  const owner = crypto.randomUUID();
  const { payment, publicBaseUrl } = config;
  const resourceUrlOf = (resource: string) => (publicBaseUrl ?? '') + resource;
  const selling = await openOperatorUpkeep({
    ...{ payment, publicBaseUrl, resourceUrlOf, contract, database, owner, now, log },
  });
  const deliver = async (day: Date): Promise<void> => demonstration?.deliver(day);
  const commands = openOperatorCommands({ pipeline, deliver, config, selling, database, owner, now, log });
  return {
    commands,
    async close() {
      close();
      await database.close();
    },
  };
}

async function diagnoseConfigured(): ReturnType<typeof diagnose> {
  const { values, launch } = readEnvironment();
  const { version } = loadContract().document.info;
  return diagnose(judgeConfig(values, launch), { version, timetable, now: () => new Date() });
}

const moveConfigured: CliPorts['move'] = async (toUrl, onProgress) => {
  const { values, launch } = readEnvironment();
  const from = databaseOptionsOf(readConfig(values, launch));
  return { ...(await moveDatabase(from, toUrl, createLog('warn'), (moved) => onProgress({ ...moved }))) };
};

const migrateConfigured: CliPorts['migrate'] = async (onlyLooks) => {
  const { values, launch } = readEnvironment();
  return migrateDatabase(databaseOptionsOf(readConfig(values, launch)), { onlyLooks, log: createLog('warn') });
};

/** A reader that has seen enough, such as head, is no fault. */
function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    // The verb goes on: what it does may matter more than what it says.
    if (!isReaderGone(error)) throw error;
  });
}

runVerb(process.argv.slice(2), {
  openOperatorCommands: openConfiguredCommands,
  diagnose: diagnoseConfigured,
  move: moveConfigured,
  migrate: migrateConfigured,
  readListeningPlace: () => readListeningPlace(readEnvironment().values),
  out: process.stdout,
  notes: process.stderr,
  now: () => new Date(),
  confirm: process.stdin.isTTY ? (question) => confirm(`${question} [y/N] `, process.stdin, process.stderr) : undefined,
}).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    if (isReaderGone(error)) return;
    process.stderr.write(
      `${error instanceof OperatorError ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
    );
    process.exitCode = 1;
  },
);
