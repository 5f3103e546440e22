import type { Account } from '../../client/deals-client.js';
import type { Network } from '../../wire/networks.js';

/** A browser wallet (EIP-1193). */
export interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: () => void): void;
  removeListener?(event: string, listener: () => void): void;
}

export interface Wallet {
  readonly name: string;
  /** Names the wallet's maker. */
  readonly rdns: string;
  /** A `data:` address; undefined for any other. */
  readonly icon: string | undefined;
  readonly provider: Provider;
}

/** Why a wallet did not do what was asked. Nothing was charged. */
export class WalletError extends Error {
  constructor(
    readonly kind:
      'cannot_keep' | 'elsewhere' | 'declined' | 'waiting' | 'wrong_chain' | 'cannot_sign' | 'no_answer' | 'too_little',
    message: string,
    /** What may be copied: the address that holds too little. */
    readonly copy?: string,
  ) {
    super(message);
  }

  /** True where the wallet may still sign what it was asked: nobody presents that signature. */
  get maySignLater(): boolean {
    return this.kind === 'no_answer';
  }
}

const listenMs = 300;
const answerMs = 120_000;

interface Announcement {
  readonly info: { readonly name: string; readonly rdns: string; readonly icon?: string };
  readonly provider: Provider;
}

const chosenKey = 'deals-feed-wallet';

/** Remembers which wallet was used, by its maker. */
export function rememberWallet({ rdns }: Wallet): void {
  try {
    localStorage.setItem(chosenKey, rdns);
  } catch {
    // A browser that keeps nothing asks again.
  }
}

/** The wallet that was used last comes first. */
function sorted(wallets: Iterable<Wallet>): readonly Wallet[] {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem(chosenKey);
  } catch {
    // nothing is remembered
  }
  return [...wallets].sort((one, other) => Number(other.rdns === chosen) - Number(one.rdns === chosen));
}

/** The wallets of this browser: those that announce themselves (EIP-6963), else the only one that pages had before. */
export async function findWallets(): Promise<readonly Wallet[]> {
  const found = new Map<string, Wallet>();
  const hear = (event: Event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail;
    const icon = info.icon?.startsWith('data:') ? info.icon : undefined;
    found.set(info.rdns, { name: info.name, rdns: info.rdns, icon, provider });
  };
  window.addEventListener('eip6963:announceProvider', hear);
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  await new Promise((resolve) => setTimeout(resolve, listenMs));
  window.removeEventListener('eip6963:announceProvider', hear);
  const { ethereum } = window as { ethereum?: Provider };
  if (found.size > 0 || ethereum === undefined) return sorted(found.values());
  return [{ name: 'Browser wallet', rdns: '', icon: undefined, provider: ethereum }];
}

/** Asks a wallet. Without an answer, or when its account or chain changes meanwhile, a later one counts no more. */
async function ask(provider: Provider, method: string, params: readonly unknown[] = [], endsOnChange = false) {
  let end = (): void => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const given = new Promise<never>((_, reject) => {
    end = () =>
      reject(new WalletError('no_answer', 'The wallet’s account or network changed meanwhile. Nothing was charged.'));
    timer = setTimeout(
      () => reject(new WalletError('no_answer', 'Your wallet did not answer in two minutes. Nothing was charged.')),
      answerMs,
    );
  });
  const events = endsOnChange ? ['accountsChanged', 'chainChanged'] : [];
  for (const event of events) provider.on?.(event, end);
  try {
    return await Promise.race([provider.request({ method, params }), given]);
  } catch (error) {
    throw toWalletError(error);
  } finally {
    clearTimeout(timer);
    for (const event of events) provider.removeListener?.(event, end);
  }
}

function toWalletError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === 4001) return new WalletError('declined', 'You declined. Nothing was charged.');
  if (code === -32002) return new WalletError('waiting', 'Your wallet is waiting for you. Open it and answer.');
  if (code === 4200 || code === -32601 || code === -32602)
    return new WalletError('cannot_sign', 'This wallet cannot sign this payment. Nothing was charged.');
  return error;
}

/** The code of a wallet's error; some wrap it. */
function codeOf(error: unknown): number | undefined {
  const { code, data } = error as { code?: number; data?: { originalError?: { code?: number } } };
  return data?.originalError?.code ?? code;
}

/** The account that a wallet shows, as the client takes it. */
export async function connect({ provider }: Wallet): Promise<Account> {
  const [address] = (await ask(provider, 'eth_requestAccounts')) as `0x${string}`[];
  if (address === undefined) throw new WalletError('declined', 'The wallet shows no account. Nothing was charged.');
  return {
    address,
    signMessage: async ({ message }) =>
      (await ask(provider, 'personal_sign', [toHex(message), address], true)) as `0x${string}`,
    signTypedData: async (typed) =>
      (await ask(provider, 'eth_signTypedData_v4', [address, typedDataText(typed)], true)) as `0x${string}`,
  };
}

function toHex(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Wallets take JSON with the domain's type and integers as decimal texts. */
function typedDataText({ types, ...typed }: object & { types?: unknown }): string {
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ];
  const whole = { ...typed, types: { EIP712Domain, ...(types as object) } };
  return JSON.stringify(whole, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

const rpcUrls: Readonly<Record<number, string>> = {
  8453: 'https://mainnet.base.org',
  84532: 'https://sepolia.base.org',
};

/** Puts the wallet on a network: wallets sign nothing for a chain that is not active. @throws WalletError */
export async function switchTo({ provider }: Wallet, { chainId, label }: Network): Promise<void> {
  const wanted = `0x${chainId.toString(16)}`;
  const isThere = async () => Number(await ask(provider, 'eth_chainId')) === chainId;
  if (await isThere()) return;
  try {
    await ask(provider, 'wallet_switchEthereumChain', [{ chainId: wanted }]);
  } catch (error) {
    const rpcUrl = rpcUrls[chainId];
    if (codeOf(error) !== 4902) throw error;
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
    const added = { chainId: wanted, chainName: label, rpcUrls: [rpcUrl], nativeCurrency };
    // Where it is not added, the wallet stays where it is, which is told below.
    if (rpcUrl !== undefined) await ask(provider, 'wallet_addEthereumChain', [added]).catch(() => undefined);
  }
  if (!(await isThere()))
    throw new WalletError(
      'wrong_chain',
      `Your wallet is on ${await nameOfChain(provider)}; this is paid on ${label}. Nothing was charged.`,
    );
}

const chainNames: Readonly<Record<number, string>> = {
  1: 'Ethereum',
  10: 'Optimism',
  137: 'Polygon',
  8453: 'Base',
  42161: 'Arbitrum',
  84532: 'Base Sepolia',
};

async function nameOfChain(provider: Provider): Promise<string> {
  const id = Number(await ask(provider, 'eth_chainId'));
  return chainNames[id] ?? `network ${id}`;
}

/** What an account holds of a network's dollar token, in atomic units; undefined where the wallet does not tell. */
export async function balanceOf(
  { provider }: Wallet,
  { asset }: Network,
  address: string,
): Promise<bigint | undefined> {
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`;
  const told = await ask(provider, 'eth_call', [{ to: asset, data }, 'latest']).catch(() => undefined);
  return typeof told === 'string' && /^0x[0-9a-f]{1,64}$/i.test(told) ? BigInt(told) : undefined;
}
