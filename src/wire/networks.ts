type Hex = `0x${string}`;

/** A chain identifier in CAIP-2 form, as x402 v2 writes it. */
export type NetworkId = `eip155:${number}`;

/** What the service needs to know of a chain and of the dollar token on it. */
export interface Network {
  readonly id: NetworkId;
  readonly chainId: number;
  /** For people: logs, documents, error texts. */
  readonly label: string;
  /** The EIP-3009 token that is taken as payment. EIP-55 form. */
  readonly asset: Hex;
  /** Of the token, for people. */
  readonly symbol: string;
  /** Name and version of the token's EIP-712 domain, announced as `extra` in the payment requirements. */
  readonly domain: { readonly name: string; readonly version: string };
  /** Its base fee is never lower, in wei. */
  readonly minBaseFeeWei: bigint;
  /** True where money is real: public test keys and development nodes must be refused. */
  readonly isRealMoney: boolean;
  /** True for the chain that the demonstration starts by itself. */
  readonly isLocal: boolean;
}

/** Multicall3 stands at this address on every chain listed here. Source: mds1/multicall3. */
export const multicall3Address: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';

/**
 * The networks that need no further configuration. Addresses and domains of USDC as Circle publishes them.
 * The local token has its own name, version and chain id, so that a signature for it is never valid for real USDC.
 */
export const networks: readonly Network[] = [
  {
    id: 'eip155:8453',
    chainId: 8453,
    label: 'Base',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    symbol: 'USDC',
    domain: { name: 'USD Coin', version: '2' },
    minBaseFeeWei: 5_000_000n,
    isRealMoney: true,
    isLocal: false,
  },
  {
    id: 'eip155:84532',
    chainId: 84532,
    label: 'Base Sepolia',
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    symbol: 'USDC',
    domain: { name: 'USDC', version: '2' },
    minBaseFeeWei: 0n,
    isRealMoney: false,
    isLocal: false,
  },
  {
    id: 'eip155:31337',
    chainId: 31337,
    label: 'local demonstration chain',
    asset: '0x7e57000000000000000000000000000000000001',
    symbol: 'tUSDC',
    domain: { name: 'Demonstration USD Coin', version: '1' },
    minBaseFeeWei: 0n,
    isRealMoney: false,
    isLocal: true,
  },
];

/** The network with this CAIP-2 identifier, or undefined when it is not one of ours. */
export function findNetwork(caip2: string): Network | undefined {
  return networks.find((network) => network.id === caip2);
}
