import { openOperatorCommands } from '../jobs/open-operator-commands.js';
import { nextRunOf } from '../jobs/timetable.js';
import { startJobs } from '../jobs/start-jobs.js';
import { createApp, type App } from './app.js';
import { writeBanner, type Running } from './operator/banner.js';
import { readConfig } from './config/config.js';
import { serveControlSocket } from './operator/socket/serve-control-socket.js';
import { readEnvironment } from './config/environment.js';
import { OperatorError } from './errors.js';

/** The demonstration's chain makes its blocks as Base does. */
const localBlockMs = 200;

/** The server process: builds the house, starts its clock, and leaves in order on SIGTERM and SIGINT. */
async function main(): Promise<void> {
  const { values, launch } = readEnvironment();
  const config = readConfig(values, launch);
  const app = await createApp(config, { nextRunOf, localBlockMs });
  for (const warning of config.warnings) app.log.warn(`setting ignored: ${warning}`);
  const clock = await startJobs(app);
  const stopping = new AbortController();
  const controlSocket =
    app.database.controlSocket &&
    serveControlSocket(app.database.controlSocket, openOperatorCommands(app, stopping.signal), app.log);
  const stop = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) return;
    app.log.info({ signal }, 'stopping: running requests finish first, jobs end at their next safe point');
    stopping.abort(new Error('The process is stopping.'));
    app.stop(Promise.all([clock.stop(), controlSocket?.close()])).then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.error({ err: error }, 'the stop was not clean');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Last: its reader may stop the server at once.
  writeBanner(describe(app), process.stdout);
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
  // What the operator can mend is said in a sentence; anything else with where it happened.
  process.stderr.write(
    `${error instanceof OperatorError ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
});
