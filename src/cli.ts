import { randomUUID } from 'node:crypto';
import { openOperatorCommands } from '../jobs/open-operator-commands.js';
import { createChainClient } from './payments/chain/clients.js';
import { runVerb } from './operator/cli/run-verb.js';
import { readConfig, type Config } from './config/config.js';
import type { Contract } from './contract/contract.js';
import { loadContract } from './contract/load-contract.js';
import { createValidators } from './contract/validators.js';
import { connectControlSocket } from './db/connect-control-socket.js';
import { openDatabase } from './db/open-database.js';
import { createRemoteCommands } from './operator/socket/remote-commands.js';
import type { OperatorCommands } from './operator/socket/operator-commands.js';
import { readEnvironment } from './config/environment.js';
import { OperatorError } from './errors.js';
import { createLog, type Log } from './log.js';
import { openFeed } from './open-feed.js';
import { openBooks } from './payments/audit/books.js';
import { createOfferReceiptIssuer } from './payments/gate/offer-receipt.js';
import { createPaymentResponses } from './payments/payment-response.js';
import { createResourceUrls } from './payments/gate/resource-urls.js';
import { createChainEvidence } from './payments/settlement/chain-evidence.js';
import { createChainHistory, type ChainHistory } from './payments/audit/chain-history.js';
import { noEvidence } from './payments/settlement/no-evidence.js';
import { discardRelayed } from './payments/settlement/relayer/relayer-store.js';
import { createLedgerStore } from './payments/ledger/ledger-store.js';
import { confirm } from './terminal/confirm.js';
import { reconcilePayments, type ReconcilePorts } from './payments/settlement/reconcile.js';
import type { Evidence } from './payments/settlement/resolve-open-payment.js';

interface OpenedCommands {
  readonly commands: OperatorCommands;
  close(): Promise<void>;
}

/** Through the running server where it holds the data directory; else by opening the configured database. */
async function openConfiguredCommands(): Promise<OpenedCommands> {
  const { values, launch } = readEnvironment();
  const config = readConfig(values, launch);
  const socket = config.databaseUrl === undefined ? await connectControlSocket(config.dataDirectory) : undefined;
  if (socket === undefined) return openOwnCommands(config);
  return { commands: createRemoteCommands(socket), close: async () => void socket.destroy() };
}

async function openOwnCommands(config: Config): Promise<OpenedCommands> {
  const { databaseUrl: url, databasePoolSize: poolSize, dataDirectory: directory } = config;
  const now = (): Date => new Date();
  const log = createLog('warn');
  const database = await openDatabase(url === undefined ? { directory } : { url, poolSize }, log);
  const contract = loadContract();
  const { work, deliver, close } = await openFeed({
    config,
    validators: createValidators(contract),
    version: contract.document.info.version,
    database,
    now,
    log,
  });
  const owner = randomUUID();
  const ledger = createLedgerStore(database.knex);
  const chain = openChain(config);
  const ports = { ledger, ...chain, owner, now, log };
  const selling = {
    ledger,
    discardRelayed: (before: Date) => discardRelayed(database.knex, before),
    books: openBooks({ ...ports, database, responses: await openResponses(config, contract, log) }),
    reconcile: async (report?: ReconcilePorts['report']) => {
      if (chain.history === undefined)
        throw new OperatorError('The payments of a demonstration are reconciled by its server alone, each minute.');
      // What the chain has undone is sent again by the server: nobody else may use the relayer's key.
      return reconcilePayments({ ...ports, ...(report ? { report } : {}) });
    },
  };
  const commands = openOperatorCommands({ work, deliver, config, selling, database, owner, now, log });
  return {
    commands,
    async close() {
      await close();
      await database.close();
    },
  };
}

/** Signs receipts as the server does; a demonstration has them from its server only, which knows its own address. */
async function openResponses({ payment, publicBaseUrl }: Config, contract: Contract, log: Log) {
  const receiptKey = publicBaseUrl === undefined ? undefined : payment?.receiptKey;
  const issuer = receiptKey === undefined ? undefined : await createOfferReceiptIssuer(receiptKey);
  return createPaymentResponses(
    issuer,
    createResourceUrls(contract, () => publicBaseUrl ?? ''),
    log,
  );
}

/** A demonstration's chain lives with its server, so only that can ask it. */
function openChain({ payment }: Config): { readonly evidence: Evidence; readonly history: ChainHistory | undefined } {
  if (payment === undefined) return { evidence: noEvidence, history: undefined };
  const client = createChainClient({ rpcUrl: payment.rpcUrl });
  return {
    evidence: createChainEvidence(client, payment.network, payment),
    history: createChainHistory(client, payment, payment),
  };
}

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
