import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { x402ResourceServer } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware } from '@x402/express';
import express from 'express';
import { recoverTypedDataAddress } from 'viem';
import type * as AppModule from '../../src/app.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { networks } from '../../src/wire/networks.js';
import type { OnAnswered } from '../../src/operations/operation.js';
import type * as OperatorModule from '../../src/operator/port/open-operator.js';
import type * as ContractModule from '../../src/contract/load-contract.js';
import type * as RouterModule from '../../src/transport/http/contract-router.js';
import type * as ServerModule from '../../src/transport/http/server.js';
import type * as LogModule from '../../src/log.js';
import type * as ConfigModule from '../../src/config/config.js';
import { payTo } from '../../src/demo/chain/accounts.js';
import type { Settler } from '../../src/payments/settlement/settler.js';
import { findProjectFile } from '../../src/project-file.js';
import { fillFeed } from '../support/app.js';

export type Turned = 'counting' | 'logging';

/** A server under measurement. */
export interface MeasuredServer {
  readonly url: string;
  /** The chain that payments settle on, where there is one. */
  readonly rpcUrl?: string;
  readonly operatorUrl?: string;
  /** Makes all that was sold so far a day older. */
  age?(): Promise<void>;
  /** Turns the counting of calls, or the lines of the log, on or off; they begin off. */
  turn?(what: Turned, isOn: boolean): void;
  stop(): Promise<void>;
}

const local = networks.find((network) => network.isLocal);
if (local === undefined) throw new Error('There is no local network');
const network = local;

/** A module of the program as it is shipped. */
const compiled = (name: string) => import(findProjectFile(`dist/src/${name}.js`)) as Promise<unknown>;

type Replies = Record<string, { status: number; headers: Record<string, string>; body: string }>;

function prepare(replies: Replies) {
  return new Map(
    Object.entries(replies).map(([path, { status, headers, body }]) => {
      const bytes = Buffer.from(body, 'base64');
      return [path, { status, headers: { ...headers, 'Content-Length': String(bytes.length) }, bytes }];
    }),
  );
}

/** The floor: node:http sending given bytes with given headers, and nothing else. */
export async function startRaw(replies: Replies): Promise<MeasuredServer> {
  const prepared = prepare(replies);
  return listening(
    createServer((request, response) => {
      const reply = prepared.get(request.url ?? '');
      response.writeHead(reply?.status ?? 404, reply?.headers ?? {});
      response.end(reply?.bytes);
    }),
  );
}

/** The floor of this design: the same bytes behind express and openapi-backend, as this service sets them up. */
export async function startRouted(replies: Replies): Promise<MeasuredServer> {
  const { createExpressServer } = (await compiled('transport/http/server')) as typeof ServerModule;
  const { createContractRouter } = (await compiled('transport/http/contract-router')) as typeof RouterModule;
  const { loadContract } = (await compiled('contract/load-contract')) as typeof ContractModule;
  const contract = loadContract();
  const prepared = prepare(replies);
  const answer = (_: unknown, url: string) => prepared.get(url);
  const router = await createContractRouter(contract, {
    ...{ notFound: answer, methodNotAllowed: answer },
    operations: new Map(contract.operations.map(({ operationId }) => [operationId, answer])),
  });
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.use(async (request, response) => {
    const [path = ''] = request.url.split('?');
    const reply = await router.handleRequest({ method: 'get', path, headers: {} }, request.url);
    response.writeHead(reply?.status ?? 404, reply?.headers ?? {});
    response.end(reply?.bytes);
  });
  return listening(createExpressServer(app, {}));
}

/** Stands in for the chain: the signature is checked by the server itself, the transfer is taken as done at once. */
const instantSettler: Settler = {
  by: 'chain',
  verify: async () => ({ verdict: 'good', chainTime: new Date() }),
  settle: async () => ({ outcome: 'settled', transaction: `0x${'ab'.repeat(32)}`, blockNumber: 1n }),
  close: async () => undefined,
};

/**
 * This service as it is shipped, compiled, with demonstration data. On PostgreSQL where BENCH_DATABASE_URL is set, else
 * on an embedded database in a directory of its own. It settles on its local chain, or `instantly` on none.
 */
export async function startOurs(settles: 'instantly' | 'on its chain'): Promise<MeasuredServer> {
  const { createApp } = (await compiled('app')) as typeof AppModule;
  const { readConfig } = (await compiled('config/config')) as typeof ConfigModule;
  const directory = mkdtempSync(join(tmpdir(), 'deals-bench-'));
  const databaseUrl = process.env['BENCH_DATABASE_URL'];
  const given = {
    DATA_DIR: directory,
    SERVER_SECRET: benchSecret,
    // All load comes from one address and one payer.
    UNPAID_CALLS_PER_MINUTE: '999999999',
    PAID_CALLS_PER_PAYER: '1000',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  };
  const read = readConfig(given, { onTerminal: true });
  const { createLog } = (await compiled('log')) as typeof LogModule;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const log = createLog('info', nowhere, { instance: 'bench', version: '1.0.0' });
  let counting: OnAnswered | undefined;
  const app = await createApp(
    { ...read, port: 0 },
    { log, onAnswered: (call) => counting?.(call), ...(settles === 'instantly' ? { settler: instantSettler } : {}) },
  );
  await fillFeed(app);
  log.level = 'silent';
  const { openOperator } = (await compiled('operator/port/open-operator')) as typeof OperatorModule;
  const config = { ...app.config, operator: { host: '127.0.0.1', port: 0, token: undefined } };
  const operator = await openOperator(app, { judged: { config, findings: [] }, timetable: [] });
  return {
    url: app.url,
    operatorUrl: operator.url,
    ...(app.selling.localRpcUrl === undefined ? {} : { rpcUrl: app.selling.localRpcUrl }),
    age: async () => {
      const { knex } = app.database;
      const earlier = (column: string) => knex.raw("?? - interval '1 day'", column);
      await knex('payments').update({ claimed_at: earlier('claimed_at'), settled_at: earlier('settled_at') });
    },
    turn(what, isOn) {
      if (what === 'counting') counting = isOn ? operator.onAnswered : undefined;
      else log.level = isOn ? 'info' : 'silent';
    },
    stop: async () => {
      await operator.close();
      await app.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Known to the bench, so that it can make page tokens that no buyer has asked for yet. */
export const benchSecret = 'a-secret-of-the-benchmark-and-of-nothing-else';

/** What the official middleware asks for every payment. */
export interface OfficialFacilitator {
  getSupported(): Promise<unknown>;
  verify(payload: never, requirements: never): Promise<unknown>;
  settle(payload: never, requirements: never): Promise<unknown>;
}

/** Stands in for a facilitator: it checks the signature as the official packages do, and takes the transfer as done. */
export function createInstantFacilitator(): OfficialFacilitator {
  return {
    getSupported: async () => ({
      kinds: [{ x402Version: 2, scheme: 'exact', network: network.id }],
      extensions: [],
      signers: {},
    }),
    verify: async (payload: { payload: Record<string, unknown> }) => {
      const { authorization, signature } = payload.payload as { authorization: WireAuthorization; signature: Hex };
      const payer = await recoverTypedDataAddress({ ...typedData(authorization), signature });
      return { isValid: payer === authorization.from, payer };
    },
    settle: async (payload: { payload: Record<string, unknown> }) => {
      const { authorization } = payload.payload as { authorization: WireAuthorization };
      return {
        success: true,
        payer: authorization.from,
        transaction: `0x${'ab'.repeat(32)}`,
        network: network.id,
      };
    },
  };
}

/**
 * The official middleware of x402 on express, selling the same records at the same price; its facilitator runs in
 * process.
 */
export async function startOfficial(records: unknown, facilitator: OfficialFacilitator): Promise<MeasuredServer> {
  const server = new x402ResourceServer(facilitator as never).register(network.id, new ExactEvmScheme());
  const price = { amount: '50000', asset: network.asset, extra: network.domain };
  const app = express();
  app.use(
    paymentMiddleware(
      {
        'GET /api/deals': {
          accepts: { scheme: 'exact', price, network: network.id, payTo: payTo.address },
          description: 'Deals',
        },
      },
      server,
    ),
  );
  app.get('/api/deals', (_request, response) => void response.json(records));
  return listening(createServer(app));
}

/** An authorization as a payload carries it: numbers are decimal strings. */
interface WireAuthorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: Hex;
}

function typedData({ from, to, value, validAfter, validBefore, nonce }: WireAuthorization) {
  return {
    domain: { ...network.domain, chainId: network.chainId, verifyingContract: network.asset },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: {
      from,
      to,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce,
    },
  } as const;
}

async function listening(server: Server): Promise<MeasuredServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
