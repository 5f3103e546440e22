import assert from 'node:assert/strict';
import { privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { findNetwork } from '../../../src/wire/networks.js';
import type { TestAccount } from '../../../src/payments/chain/well-known-accounts.js';
import { createWalletProofs, type WalletProof, type WalletProofs } from '../../../src/payments/status/wallet-proof.js';
import type { Secrets } from '../../../src/secrets/secrets.js';
import { signInMessage, type SignInInfo } from '../../support/sign-in-message.js';
import { startTestChain, type TestChain } from '../../support/chain.js';
import { newAccount, placeWallet } from '../../support/wallets.js';

const paymentId = `0x${'ab'.repeat(32)}`;

describe("a contract wallet's proof that it has paid", () => {
  let chain: TestChain;
  let proofs: WalletProofs;
  let owner: TestAccount;
  let wallet: Hex;
  const now = new Date('2026-03-08T12:00:00.000Z');

  before(async () => {
    chain = await startTestChain();
    const { client, network } = chain;
    proofs = openProofs({ client, network });
    owner = newAccount();
    wallet = await placeWallet(chain, owner);
  });
  after(() => chain.stop());

  const openProofs = (
    ports: Pick<Parameters<typeof createWalletProofs>[0], 'client' | 'network'>,
    secrets: Secrets = ['a secret'],
  ): WalletProofs => createWalletProofs({ secrets, publicBaseUrl: 'https://deals.example', now: () => now, ...ports });

  /** The challenge for the wallet, signed by a key and put into the wallet's own form. */
  async function prove(signer: TestAccount, payer = wallet): Promise<WalletProof> {
    const { extensions } = proofs.signInRequest(paymentId) as {
      extensions: { 'sign-in-with-x': { info: SignInInfo } };
    };
    const { info } = extensions['sign-in-with-x'];
    const message = signInMessage(info, payer, chain.network.chainId);
    const signature = await privateKeyToAccount(signer.privateKey).signMessage({ message });
    const walletForm: Hex = `0x01${signature.slice(2)}`;
    return { ...info, address: payer, chainId: chain.network.id, type: 'eip191', signature: walletForm };
  }

  it('is taken when the contract on the chain stands by it', async () => {
    assert.equal(await proofs.refuse(await prove(owner), paymentId, wallet), undefined);
  });

  it('is taken by an instance that accepts the secret of the challenge beside another, and by no other', async () => {
    const { client, network } = chain;
    const ports = { client, network };
    const proof = await prove(owner);
    assert.equal(await openProofs(ports, ['the next', 'a secret']).refuse(proof, paymentId, wallet), undefined);
    assert.match((await openProofs(ports, ['the next']).refuse(proof, paymentId, wallet)) ?? '', /nonce/);
  });

  it("is refused when the contract does not, and when the payer is another contract of the same owner's", async () => {
    const other = await placeWallet(chain, owner);
    assert.match((await proofs.refuse(await prove(newAccount()), paymentId, wallet)) ?? '', /signature/);
    assert.match((await proofs.refuse(await prove(owner), paymentId, other)) ?? '', /not by the wallet that paid/);
  });

  it('is refused for an address without a contract, and for a contract that burns all gas', async () => {
    const nobody = newAccount().address.toLowerCase() as Hex;
    const hostile = await placeWallet(chain, owner, true);
    assert.match((await proofs.refuse(await prove(owner, nobody), paymentId, nobody)) ?? '', /signature/);
    assert.match((await proofs.refuse(await prove(owner, hostile), paymentId, hostile)) ?? '', /signature/);
  });

  it('is refused where there is no chain to ask', async () => {
    const { network } = chain;
    const blind = openProofs({ client: undefined, network });
    assert.match((await blind.refuse(await prove(owner), paymentId, wallet)) ?? '', /signature/);
  });
});

describe("an account's proof that it has paid", () => {
  const now = new Date('2026-03-08T12:00:00.000Z');
  const proofs = createWalletProofs({
    secrets: ['a secret'],
    publicBaseUrl: 'https://deals.example',
    network: findNetwork('eip155:8453') ?? assert.fail('no such network'),
    client: undefined,
    now: () => now,
  });
  const { extensions } = proofs.signInRequest(paymentId) as {
    extensions: { 'sign-in-with-x': { info: SignInInfo } };
  };
  const { info } = extensions['sign-in-with-x'];

  async function prove(signer: TestAccount, write: (address: Hex) => Hex): Promise<WalletProof> {
    const account = privateKeyToAccount(signer.privateKey);
    const message = signInMessage(info, account.address, 8453);
    const address = write(account.address);
    const signature = await account.signMessage({ message: message.replace(account.address, address) });
    return { ...info, address, chainId: 'eip155:8453', type: 'eip191', signature };
  }

  it('is taken with the checksum in its address, and in lower case as the wallets of browsers write it', async () => {
    const payer = newAccount();
    for (const write of [(address: Hex) => address, (address: Hex) => address.toLowerCase() as Hex]) {
      const proof = await prove(payer, write);
      assert.equal(await proofs.refuse(proof, paymentId, payer.address.toLowerCase() as Hex), undefined);
    }
  });

  it('is refused in either form when another account has signed it', async () => {
    const [payer, other] = [newAccount(), newAccount()];
    const foreign = await prove(other, (address) => address.toLowerCase() as Hex);
    const address = payer.address.toLowerCase() as Hex;
    assert.match((await proofs.refuse({ ...foreign, address }, paymentId, address)) ?? '', /signature/);
  });
});
