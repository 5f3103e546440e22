import assert from 'node:assert/strict';
import { pino } from 'pino';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { ChainClient } from '../../../src/payments/chain/clients.js';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { findNetwork } from '../../../src/wire/networks.js';
import { OperatorError } from '../../../src/errors.js';
import { checkSelling } from '../../../src/payments/gate/check-selling.js';

const payTo: Hex = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const relayerKey: Hex = `0x${'5ec2e7'.repeat(10)}5ec2`;

describe('checkSelling', () => {
  /** A chain that must not be asked before the configuration itself is sound. */
  const unasked = new Proxy({} as ChainClient, { get: () => assert.fail('the chain was asked') });

  async function refusalOf(changes: { payTo?: Hex; relayerKeys?: readonly Hex[]; receiptKey?: Hex }): Promise<string> {
    const network = findNetwork('eip155:8453');
    assert.ok(network);
    const setup = { network, payTo, relayerKeys: [relayerKey], receiptKey: undefined, ...changes };
    const refusal: unknown = await checkSelling(setup, unasked, pino({ level: 'silent' })).catch(
      (error: unknown) => error,
    );
    assert.ok(refusal instanceof OperatorError);
    assert.doesNotMatch(refusal.message, /5ec2e7|ac0974be/, 'a key stands in the message');
    return refusal.message;
  }

  it('refuses a receiver whose checksum is wrong: no wallet would sign for it', async () => {
    assert.match(await refusalOf({ payTo: '0xdaC17F958D2ee523a2206206994597C13D831ec7' }), /mistyped/);
  });

  it('refuses accounts whose keys are public, as receiver and as relayer', async () => {
    const published = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    assert.match(await refusalOf({ payTo: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }), /public test account/);
    assert.match(await refusalOf({ relayerKeys: [relayerKey, published] }), /public test account/);
  });

  it('refuses to sign receipts with a key that is public or that holds money', async () => {
    const published = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
    assert.match(await refusalOf({ receiptKey: published }), /RECEIPT_PRIVATE_KEY is a public test key/);
    assert.match(await refusalOf({ receiptKey: relayerKey }), /must be a key of its own/);
    const receiptKey = generatePrivateKey();
    const receiver = privateKeyToAccount(receiptKey).address;
    assert.match(await refusalOf({ receiptKey, payTo: receiver }), /must be a key of its own/);
  });
});
