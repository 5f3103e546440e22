import { openOperatorCommands } from '../jobs/open-operator-commands.js';
import { nextRunOf, timetable } from '../jobs/timetable.js';
import { startJobs } from '../jobs/start-jobs.js';
import { createApp, type App } from './app.js';
import { help, writeBanner, writeReady, type Running } from './operator/banner.js';
import { judgeConfig } from './config/config.js';
import { judgeStart } from './operator/checks/judge-start.js';
import { openCheckPorts } from './operator/checks/open-check-ports.js';
import { openOperator } from './operator/port/open-operator.js';
import { serveControlSocket } from './operator/socket/serve-control-socket.js';
import { readEnvironment } from './config/environment.js';
import { OperatorError } from './errors.js';
import { createLog } from './log.js';
import type { OnAnswered } from './operations/operation.js';

/** The demonstration's chain makes its blocks as Base does. */
const localBlockMs = 200;
const sameSignalMs = 500;
/** How often it looks whether deals are on sale, until they are. */
const lookMs = 250;

/**
 * The server process: builds the house, starts its clock, and leaves in order on SIGTERM and SIGINT; a second signal
 * ends it at once.
 */
async function main(): Promise<void> {
  const [word] = process.argv.slice(2);
  if (word === '--help' || word === '-h') return void process.stdout.write(help);
  if (word !== undefined) throw new OperatorError(help.trimEnd());
  const { values, launch } = readEnvironment();
  const judged = judgeConfig(values, launch);
  const ports = openCheckPorts(judged, { now: () => new Date() });
  const warnings = await judgeStart(ports).finally(ports.close);
  const { config } = judged;
  let count: OnAnswered | undefined = undefined;
  const app = await createApp(config, { nextRunOf, timetable, localBlockMs, onAnswered: (call) => count?.(call) });
  for (const warning of warnings) app.log.warn(warning);
  const operator = config.operator.port === 0 ? undefined : await openOperator(app, { judged, timetable }).catch(warn);
  count = operator?.onAnswered;
  const clock = await startJobs(app, config.payment === undefined ? config.demoPaceMinutes : 0);
  /** It sells without. */
  function warn(error: unknown): undefined {
    const { host, port } = config.operator;
    app.log.warn(
      { err: error },
      `the operator's page cannot be served on ${host}:${port}; choose another OPERATOR_PORT`,
    );
  }
  const stopping = new AbortController();
  const controlSocket =
    app.database.controlSocket &&
    serveControlSocket(app.database.controlSocket, openOperatorCommands(app, stopping.signal), app.log);
  let stoppedAt = Infinity;
  const stop = (signal: NodeJS.Signals) => {
    // npm passes on what the terminal has sent to both: that is one signal.
    if (performance.now() - stoppedAt > sameSignalMs) process.exit(1);
    if (stopping.signal.aborted) return;
    stoppedAt = performance.now();
    app.log.info({ signal }, 'stopping: running requests finish first, jobs end at their next safe point');
    stopping.abort(new Error('The process is stopping.'));
    app.stop(Promise.all([clock.stop(), controlSocket?.close(), operator?.close()])).then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.error({ err: error }, 'the stop was not clean');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  app.log.info({ ...describeStart(app), operator: operator?.url, jobs: timetable.length }, 'started');
  // Last: its reader may stop the server at once.
  writeBanner(describe(app), process.stdout);
  const looking = setInterval(() => {
    if (!app.feeds.deals.isPublished() || app.selling.settlementProblem() !== undefined) return;
    clearInterval(looking);
    writeReady(describe(app), process.stdout);
  }, lookMs).unref();
}

function describeStart({ config, selling, url }: App): object {
  const database = config.databaseUrl === undefined ? 'embedded' : new URL(config.databaseUrl);
  const place = typeof database === 'string' ? database : `${database.host}${database.pathname}`;
  return { url, database: place, network: selling.terms.network.id, logLevel: config.logLevel };
}

function describe({ config, contract, selling, url }: App): Running {
  const { network, payTo } = selling.terms;
  return {
    version: contract.document.info.version,
    url,
    dataDirectory: config.databaseUrl === undefined ? config.dataDirectory : undefined,
    payments: `${network.label} (${network.id}), to ${payTo}`,
    demonstration: config.payment === undefined,
    obstacle: selling.settlementProblem()?.why,
  };
}

main().catch((error: unknown) => {
  // What the operator can mend is said in a sentence; where anything else happened is for the log.
  if (error instanceof OperatorError) process.stderr.write(`${error.message}\n`);
  else createLog('error').error({ err: error }, 'unexpected: the service could not start');
  process.exit(1);
});
