import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, http, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { TestChain } from './chain.js';

type FacilitatorPath = '/verify' | '/settle' | '/supported';

/** One request as received. */
export interface FacilitatorCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Answers a request in its own way; `official` returns the official facilitator's answer. */
export type Behaviour = (response: ServerResponse, official: () => Promise<OfficialAnswer>) => void | Promise<void>;

export type OfficialAnswer = Readonly<Record<string, unknown>>;

/**
 * A mock facilitator: a real HTTP server with the wire format of x402 v2 around the official packages' facilitator,
 * which settles on a real chain. It can be made to misbehave.
 */
export interface MockFacilitator {
  readonly url: string;
  readonly calls: readonly FacilitatorCall[];
  /** Replaces the official behavior, by path. */
  behaviours: Partial<Record<FacilitatorPath, Behaviour>>;
  /** The bodies sent to a path. */
  bodiesOf(path: FacilitatorPath): unknown[];
  stop(): Promise<void>;
}

export async function startMockFacilitator(chain: TestChain): Promise<MockFacilitator> {
  const official = await createOfficialFacilitator(chain);
  const calls: FacilitatorCall[] = [];
  const facilitator = { behaviours: {} as MockFacilitator['behaviours'] };

  async function answer(path: FacilitatorPath, text: string): Promise<OfficialAnswer> {
    if (path === '/supported') return { ...official.getSupported() };
    const { paymentPayload, paymentRequirements } = JSON.parse(text) as {
      paymentPayload: PaymentPayload;
      paymentRequirements: PaymentRequirements;
    };
    return path === '/verify'
      ? { ...(await official.verify(paymentPayload, paymentRequirements)) }
      : { ...(await official.settle(paymentPayload, paymentRequirements)) };
  }

  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      const text = Buffer.concat(chunks).toString();
      const path = request.url as FacilitatorPath;
      calls.push({ path, headers: request.headers, text });
      const behave = facilitator.behaviours[path] ?? behaveOfficially;
      await behave(response, () => answer(path, text));
    })().catch(() => response.writeHead(500).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(facilitator, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    bodiesOf: (path: FacilitatorPath) =>
      calls.filter((call) => call.path === path).map(({ text }): unknown => JSON.parse(text)),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

const behaveOfficially: Behaviour = async (response, official) => sendJson(response, 200, await official());

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function createOfficialFacilitator(chain: TestChain): Promise<x402Facilitator> {
  const account = privateKeyToAccount(generatePrivateKey());
  await chain.ask('anvil_setBalance', [account.address, '0xde0b6b3a7640000']);
  const { chainId, id } = chain.network;
  const wallet = createWalletClient({
    account,
    chain: {
      id: chainId,
      name: id,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [chain.rpcUrl] } },
    },
    transport: http(chain.rpcUrl, { retryCount: 0 }),
  }).extend(publicActions);
  const signer = toFacilitatorEvmSigner({
    ...wallet,
    address: account.address,
    // The newest block of a chain that mines on demand may be hours old.
    readContract: (args: Parameters<typeof wallet.readContract>[0]) =>
      wallet.readContract({ ...args, blockTag: 'pending' }),
    // viem's own can hang on a chain that mines on demand.
    async waitForTransactionReceipt({ hash }: { hash: `0x${string}` }) {
      for (;;) {
        const receipt = await wallet.getTransactionReceipt({ hash }).catch(() => undefined);
        if (receipt) return receipt;
        await delay(10);
      }
    },
  } as unknown as Parameters<typeof toFacilitatorEvmSigner>[0]);
  return new x402Facilitator().register(id, new ExactEvmScheme(signer));
}

/** Faults of a facilitator when it settles, each after the transfer or without it. */
export const faults = {
  answersTooLate: async (_, official) => void (await official()),
  failsAfterwards: async (response, official) => {
    await official();
    sendJson(response, 500, { error: 'internal' });
  },
  resetsBefore: (response) => void response.destroy(),
  resetsAfterwards: async (response, official) => {
    await official();
    response.destroy();
  },
  cutsItsAnswer: async (response, official) => {
    await official();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 500 }).write('{"success":');
    setImmediate(() => response.destroy());
  },
  sendsNoJson: async (response, official) => {
    await official();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"success": true,');
  },
  sendsNothing: async (response, official) => {
    await official();
    response.writeHead(200).end();
  },
  sendsHtml: async (response, official) => {
    await official();
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>');
  },
  sendsTooMuch: async (response, official) => {
    sendJson(response, 200, { ...(await official()), padding: 'x'.repeat(1_000_000) });
  },
  sendsAnotherSchema: async (response, official) => {
    await official();
    sendJson(response, 200, { ok: true });
  },
  saysPending: async (response, official) => {
    const { transaction } = await official();
    sendJson(response, 500, { success: false, errorReason: 'settlement_pending', transaction });
  },
  saysFailed: async (response, official) => {
    await official();
    sendJson(response, 200, { success: false, errorReason: 'insufficient_funds', transaction: '' });
  },
  namesAnotherPayer: async (response, official) => {
    sendJson(response, 200, { ...(await official()), payer: '0x00000000000000000000000000000000000e15e0' });
  },
  namesNoTransaction: async (response, official) => {
    sendJson(response, 200, { ...(await official()), transaction: '' });
  },
  namesAnotherTransaction: async (response, official) => {
    sendJson(response, 200, { ...(await official()), transaction: `0x${randomBytes(32).toString('hex')}` });
  },
  lies: (response) =>
    sendJson(response, 200, { success: true, transaction: `0x${randomBytes(32).toString('hex')}`, network: 'x' }),
  fails: (response) => sendJson(response, 503, { error: 'overloaded' }),
  saysUndecided: (response) =>
    sendJson(response, 200, { success: false, errorReason: 'unexpected_settle_error', transaction: '' }),
} as const satisfies Record<string, Behaviour>;
