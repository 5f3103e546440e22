/** A dollar token that this client signs for, with its EIP-712 domain. All have 6 decimals. */
export interface KnownToken {
  /** CAIP-2 name of the network. */
  readonly network: string;
  readonly chainId: number;
  /** The display name. */
  readonly label: string;
  readonly address: `0x${string}`;
  readonly name: string;
  readonly version: string;
  /** True for the demonstration's chain on the server's own machine. Its token is worthless. */
  readonly isLocal: boolean;
}

/**
 * The only tokens that the client signs for, whatever a challenge claims, since price limits are in dollars: Circle's
 * published USDC and the demonstration's token.
 */
export const knownTokens: readonly KnownToken[] = [
  {
    network: 'eip155:8453',
    chainId: 8453,
    label: 'Base',
    address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    name: 'USD Coin',
    version: '2',
    isLocal: false,
  },
  {
    network: 'eip155:84532',
    chainId: 84532,
    label: 'Base Sepolia',
    address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    name: 'USDC',
    version: '2',
    isLocal: false,
  },
  {
    network: 'eip155:31337',
    chainId: 31337,
    label: 'local demonstration chain',
    address: '0x7e57000000000000000000000000000000000001',
    name: 'Demonstration USD Coin',
    version: '1',
    isLocal: true,
  },
];
