import assert from 'node:assert/strict';
import { getAddress } from 'viem';
import { findNetwork, networks } from '../../src/wire/networks.js';

describe('findNetwork', () => {
  it("finds Base and Base Sepolia with USDC's address and domain as Circle publishes them", () => {
    const base = findNetwork('eip155:8453');
    assert.equal(base?.asset, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913');
    assert.deepEqual(base.domain, { name: 'USD Coin', version: '2' });
    assert.equal(base.isRealMoney, true);
    const sepolia = findNetwork('eip155:84532');
    assert.equal(sepolia?.asset, '0x036CbD53842c5426634e7929541eC2318f3dCF7e');
    assert.deepEqual(sepolia.domain, { name: 'USDC', version: '2' });
  });

  it('finds nothing for any other identifier', () => {
    for (const id of ['eip155:1', 'base', '8453', 'eip155:08453', '']) assert.equal(findNetwork(id), undefined);
  });
});

describe('networks', () => {
  it('carry the chain id of their identifier and an EIP-55 address', () => {
    for (const { id, chainId, asset } of networks) {
      assert.equal(id, `eip155:${chainId}`);
      assert.equal(getAddress(asset), asset);
    }
  });

  it('give the local token a domain that no real USDC has', () => {
    const real = networks.filter(({ isLocal }) => !isLocal);
    const local = networks.find(({ isLocal }) => isLocal);
    assert.ok(local);
    for (const { chainId, asset, domain } of real) {
      assert.notEqual(local.chainId, chainId);
      assert.notEqual(local.asset, asset);
      assert.notEqual(local.domain.name, domain.name);
    }
  });
});
