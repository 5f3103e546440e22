import assert from 'node:assert/strict';
import { asksForProof, problem, startMockServer, type Answer } from '../mock-server.js';
import { free, run } from './run.js';

const paymentId = `0x${'ab'.repeat(32)}`;
const words = ['payment-reply', paymentId];

describe('payment-reply', () => {
  /** Asks a server on this network, which requests a wallet proof and accepts any. */
  async function askOn(network: string, privateKey?: string) {
    const script: Answer[] = [];
    const server = await startMockServer(script);
    script.push(asksForProof(server.url, paymentId, network), free({ bought: true }));
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
      /^[A-Z].*wallet that paid, on Base \(eip155:8453\)\. Set PRIVATE_KEY to the key of that[^]*\n {2}Reason: key_needed\n/,
    );
    assert.doesNotMatch(error, /0xf39f/i);
  });

  it('is proven with the configured key on every network', async () => {
    const { code, out, proofs } = await askOn('eip155:8453', `0x${'12'.repeat(32)}`);
    assert.deepEqual([code, JSON.parse(out), proofs], [0, { bought: true }, 1]);
  });

  it('is not what to ask for where it was asked for and is gone', async () => {
    const server = await startMockServer([
      problem(404, 'not_found', { detail: 'The reply is not kept.', payment: 'settled', payment_id: paymentId }),
    ]);
    try {
      const { code, error } = await run([], words, { server });
      assert.equal(code, 3);
      assert.match(error, /^The reply is not kept\.\nThe payment was charged before\.\n {2}Reason: not_found\n/);
    } finally {
      await server.stop();
    }
  });
});
