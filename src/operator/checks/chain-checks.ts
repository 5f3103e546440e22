import { readHead, type ChainClient } from '../../payments/chain/clients.js';
import { isTransportFault } from '../../payments/chain/transport-fault.js';
import { describeFault } from '../../payments/settlement/describe-fault.js';
import { maxTransactionGas } from '../../payments/settlement/relayer/encode-settlement.js';
import { isOnToken } from '../../payments/settlement/token-status.js';
import { multicall3Address } from '../../wire/networks.js';
import { chainOf, type Check, type CheckPorts, type Fine, type Finding } from './check.js';

const oldHeadSeconds = 30;
const [longLagSeconds, longWaitSeconds] = [1_800, 20];

/** The node in RPC_URL, and the chain that it speaks for. */
export const chainChecks: readonly Check[] = [
  {
    id: 'chain.reach',
    severity: 'not_ready',
    at: ['live', 'doctor'],
    finds: 'the node does not answer, or not with what a node answers',
    cure: 'Look at its status and at the limits of its plan, or set another RPC_URL.',
    why: 'The node of this service does not answer.',
    async look(ports) {
      const { client } = chainOf(ports);
      try {
        await readHead(client);
        return undefined;
      } catch (error) {
        return { sentence: `The node in RPC_URL does not answer: ${describeFault(error)}`, isDoubt: true };
      }
    },
  },
  {
    id: 'chain.identity',
    severity: 'refuse',
    at: ['start', 'live', 'doctor'],
    isSlow: true,
    finds: 'another chain, or a development node where money is real',
    cure: 'Make RPC_URL and NETWORK agree.',
    why: 'The node of this service is on another chain.',
    look: findIdentityFault,
  },
  {
    id: 'chain.token',
    severity: 'not_ready',
    at: ['live', 'doctor'],
    isSlow: true,
    finds: 'no token or Multicall3 there, a paused token, or PAY_TO or a relayer on its blacklist',
    cure: 'Check RPC_URL; wait until the token is resumed; or use another account.',
    why: 'The token cannot be paid with now.',
    look: findTokenFault,
  },
  {
    id: 'chain.head',
    severity: 'not_ready',
    at: ['live', 'doctor'],
    finds: 'the newest block is older than 30 s',
    cure: 'Use a node that follows its chain: set another RPC_URL.',
    why: 'The node of this service has fallen behind its chain.',
    async look(ports) {
      const { client, network } = chainOf(ports);
      const { timestamp, number } = await client.getBlock({ blockTag: 'latest' });
      const seconds = Math.round(ports.now().getTime() / 1_000) - Number(timestamp);
      // A chain that mines on demand has old blocks.
      if (seconds <= oldHeadSeconds || network.isLocal || (await readDevelopmentNode(client))) return undefined;
      return {
        sentence: `The newest block of ${network.label} that the node has, ${number}, is ${seconds} seconds old.`,
        figures: { seconds },
        isDoubt: true,
      };
    },
  },
  {
    id: 'chain.pace',
    severity: 'warn',
    at: ['live', 'doctor'],
    isSlow: true,
    finds: 'finality more than 30 minutes behind, or CONFIRMATIONS that take more than 20 s',
    cure: 'Use another RPC_URL, if other nodes are faster.',
    look: findPace,
  },
  {
    id: 'chain.methods',
    severity: 'warn',
    at: ['doctor'],
    finds: 'a node without `finalized`, with narrower eth_getLogs, or without eth_sendRawTransactionSync',
    cure: 'Use another RPC_URL.',
    look: findMissingMethod,
  },
];

/** The version of a development node; empty for any other. */
export async function readDevelopmentNode(client: ChainClient): Promise<string> {
  const version = await client.request({ method: 'web3_clientVersion' }).catch(() => '');
  return /anvil|hardhat|ganache/i.test(version) ? version : '';
}

async function findIdentityFault(ports: CheckPorts): Promise<Finding | undefined> {
  const { client, network } = chainOf(ports);
  const chainId = await client.getChainId();
  if (chainId !== network.chainId)
    return { sentence: `RPC_URL speaks for chain ${chainId}, but NETWORK is ${network.id}.` };
  const version = network.isRealMoney ? await readDevelopmentNode(client) : '';
  if (version === '') return undefined;
  const sentence = `RPC_URL is a development node (${version}) that calls itself ${network.label}.`;
  return { sentence, cure: `Set an RPC_URL of ${network.label}.` };
}

async function findTokenFault(ports: CheckPorts): Promise<Finding | undefined> {
  const { client, network, payTo, relayers } = chainOf(ports);
  // The local chain is this service's own, and each such question makes a block there.
  if (network.isLocal) return undefined;
  for (const [what, address] of [
    ['The token', network.asset],
    ['Multicall3', multicall3Address],
  ] as const) {
    const code = await client.getCode({ address });
    if (code === undefined || code === '0x')
      return { sentence: `${what} is not at ${address} on ${network.label}.`, cure: 'Check RPC_URL.' };
  }
  if (await isOnToken(client, network, 'paused'))
    return { sentence: `${network.symbol} is paused by its issuer.`, cure: 'Wait until it is resumed.' };
  for (const address of [payTo, ...relayers])
    if (await isOnToken(client, network, 'isBlacklisted', address))
      return { sentence: `${address} is on the blacklist of ${network.symbol}.`, cure: 'Use another account.' };
  return undefined;
}

async function findPace(ports: CheckPorts): Promise<Finding | Fine | undefined> {
  const { client, network } = chainOf(ports);
  // It mines on demand.
  if (network.isLocal) return undefined;
  const lag = (await client.times.finalityLagMs()) / 1_000;
  const secondsEach = (await client.times.blockMs()) / 1_000;
  const { baseFeePerGas, gasLimit } = await client.getBlock({ blockTag: 'latest' });
  const figures = {
    ...{ blockSeconds: secondsEach, finalityLagSeconds: lag, baseFeeGwei: Number(baseFeePerGas ?? 0n) / 1e9 },
    minimumBaseFeeGwei: Number(network.minBaseFeeWei) / 1e9,
    gasCap: Math.min(Number(maxTransactionGas), Number(gasLimit)),
  };
  if (lag > longLagSeconds)
    return { sentence: `Blocks of ${network.label} are final after ${lag} seconds: the audit lags as much.`, figures };
  const wait = secondsEach * ports.config.settlement.confirmations;
  if (wait <= longWaitSeconds) return { figures };
  const sentence = `A sale takes ${Math.round(wait)} seconds: CONFIRMATIONS blocks of ${secondsEach} seconds each.`;
  return { sentence, cure: 'Set fewer CONFIRMATIONS.', figures };
}

async function findMissingMethod(ports: CheckPorts): Promise<Finding | undefined> {
  const { client, payTo } = chainOf(ports);
  const head = await client.getBlockNumber();
  if (await isRefused(client.getBlock({ blockTag: 'finalized' })))
    return { sentence: 'The node knows no finalized block: the audit cannot run.' };
  const blocks = ports.config.payment?.blocksPerCall ?? 1n;
  const fromBlock = head >= blocks ? head - blocks + 1n : 0n;
  if (await isRefused(client.getLogs({ address: payTo, fromBlock, toBlock: head })))
    return {
      sentence: `The node does not read the logs of ${blocks} blocks at once: the audit cannot run.`,
      cure: 'Set a smaller RPC_BLOCKS_PER_CALL.',
    };
  // No transaction: a node that knows the method says so.
  const sync = client.request({ method: 'eth_sendRawTransactionSync', params: ['0x'] });
  const answer = await sync.then(String, (error: unknown) => (isTransportFault(error) ? '' : describeFault(error)));
  if (!/method.*(not|does).*(found|exist|support|available)|unsupported method/i.test(answer)) return undefined;
  return { sentence: 'The node has no eth_sendRawTransactionSync: sales take up to a block longer.' };
}

/** Whether the node answers, and not with this. */
async function isRefused(question: Promise<unknown>): Promise<boolean> {
  return question.then(
    () => false,
    (error: unknown) => {
      if (isTransportFault(error)) throw error;
      return true;
    },
  );
}
