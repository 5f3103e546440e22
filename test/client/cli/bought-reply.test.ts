import assert from 'node:assert/strict';
import { challengeOf, startMockServer, type Answer } from '../mock-server.js';
import { free, run } from './run.js';

const path = `/api/payments/0x${'ab'.repeat(32)}/response`;
const words = ['payment', `0x${'ab'.repeat(32)}`, '--reply'];

describe('payment --reply', () => {
  /** Asks a server on this network, which requests a wallet proof and accepts any. */
  async function askOn(network: string, privateKey?: string) {
    const script: Answer[] = [];
    const server = await startMockServer(script);
    script.push(whoAsks(server.url, network), free({ bought: true }));
    try {
      const { code, out, error } = await run([], words, { server, privateKey });
      const proofs = server.requests.flatMap(({ headers }) => headers['sign-in-with-x'] ?? []);
      return { code, out, error, asked: server.requests.length, proofs: proofs.length };
    } finally {
      await server.stop();
    }
  }

  it("is proven with the demonstration buyer's key on the local chain only, when no key is set", async () => {
    const { code, out, proofs } = await askOn('eip155:31337');
    assert.deepEqual([code, JSON.parse(out), proofs], [0, { bought: true }, 1]);
  });

  it('names the missing key on any other network, and signs nothing', async () => {
    const { code, out, error, asked, proofs } = await askOn('eip155:8453');
    assert.deepEqual([code, out, asked, proofs], [3, '', 1, 0]);
    assert.match(
      error,
      /^key_needed: .*wallet that paid, on Base \(eip155:8453\)\. Set PRIVATE_KEY to the key of that/,
    );
    assert.doesNotMatch(error, /0xf39f/i);
  });

  it('is proven with the configured key on every network', async () => {
    const { code, out, proofs } = await askOn('eip155:8453', `0x${'12'.repeat(32)}`);
    assert.deepEqual([code, JSON.parse(out), proofs], [0, { bought: true }, 1]);
  });
});

/** The service's 402 that requests a wallet proof and no payment. */
function whoAsks(baseUrl: string, network: string): Answer {
  const uri = baseUrl + path;
  const info = {
    domain: new URL(uri).host,
    uri,
    statement: 'Get the paid reply again. This signs no payment.',
    version: '1',
    nonce: 'ab'.repeat(16),
    issuedAt: '2026-11-22T12:00:00.000Z',
    expirationTime: '2026-11-22T12:05:00.000Z',
    resources: [uri],
  };
  const signIn = { info, supportedChains: [{ chainId: network, type: 'eip191' }] };
  const challenge = { ...challengeOf([]), extensions: { 'sign-in-with-x': signIn } };
  const header = Buffer.from(JSON.stringify(challenge)).toString('base64');
  return { status: 402, headers: { 'PAYMENT-REQUIRED': header }, body: challenge };
}
