import { readFileSync } from 'node:fs';
import { encodeFunctionData, parseAbi } from 'viem';
import type { Hex, TokenDomain } from '../../../src/payments/chain/eip3009.js';
import { findProjectFile } from '../../../src/project-file.js';
import { tokenOwner } from '../../../src/demo/chain/accounts.js';
import { askNode } from '../../../src/demo/chain/anvil-node.js';
import type { ContractArtifact } from './compile-contract.js';

/** The test token's functions besides payments: the owner's, and the payer's cancellation. */
export const testTokenAbi = parseAbi([
  'function initialize(string name, string version, address owner)',
  'function mint(address to, uint256 value)',
  'function setPaused(bool paused)',
  'function setBlacklisted(address account, bool blacklisted)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
]);

/**
 * Deploys the test token on a local node at the domain's contract address, with the domain's name and version, owned by
 * `tokenOwner`, and mints `value` to `holder`.
 *
 * @throws Error when the node rejects it
 */
export async function placeToken(port: number, domain: TokenDomain, holder: Hex, value: bigint): Promise<void> {
  const artifact: ContractArtifact = JSON.parse(
    readFileSync(findProjectFile('test/support/contracts/test-token.json'), 'utf8'),
  );
  const token = domain.verifyingContract;
  await askNode(port, 'anvil_setCode', [token, artifact.runtimeCode]);
  const { name, version } = domain;
  const steps = [
    encodeFunctionData({ abi: testTokenAbi, functionName: 'initialize', args: [name, version, tokenOwner.address] }),
    encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [holder, value] }),
  ];
  for (const data of steps) {
    const receipt = await askNode(port, 'eth_sendTransactionSync', [{ from: tokenOwner.address, to: token, data }]);
    const isMined = typeof receipt === 'object' && receipt !== null && 'status' in receipt && receipt.status === '0x1';
    if (!isMined) throw new Error(`The node on port ${port} rejected the test token at ${token}`);
  }
}
