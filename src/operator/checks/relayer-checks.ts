import { noGas } from '../../payments/settlement/settlement-problems.js';
import { transferGas } from '../../payments/settlement/relayer/encode-settlement.js';
import { createFeeReader, FeesTooHighError } from '../../payments/settlement/relayer/fee-reader.js';
import { chainOf, type Check, type CheckedChain, type CheckPorts, type Finding } from './check.js';
import { contentOf } from './database-checks.js';

/** The keys that settle, and who settles in their place. */
export const relayerChecks: readonly Check[] = [
  {
    id: 'relayer.lease',
    severity: 'not_ready',
    at: ['told', 'doctor'],
    finds: 'fewer relayer keys than instances',
    cure: 'Add a key to RELAYER_PRIVATE_KEYS for each instance.',
    async look(ports) {
      const { relayers } = chainOf(ports);
      const { instances, leases } = await contentOf(ports);
      if (relayers.length === 0 || instances <= relayers.length) return undefined;
      const held = leases.map(({ relayer, holder, until }) => `${relayer} is held by ${holder} until ${until}`);
      return {
        sentence: `${instances} instances run, with ${relayers.length} relayer keys: ${held.join('; ')}.`,
        figures: { instances, keys: relayers.length },
      };
    },
  },
  {
    id: 'relayer.gas',
    severity: 'not_ready',
    at: ['live', 'doctor'],
    finds: 'gas for less than one settlement, or for few (warned); fees above RELAYER_MAX_FEE_GWEI',
    cure: 'Send the relayer ether; where fees are too high, wait, or raise RELAYER_MAX_FEE_GWEI.',
    why: noGas,
    look: findGasFault,
  },
  {
    id: 'relayer.nonce',
    severity: 'not_ready',
    at: ['told'],
    finds: 'the oldest transaction in flight has not moved for 30 s',
    cure: 'Wait: it is replaced with higher fees, up to RELAYER_MAX_FEE_GWEI. Look whether the chain makes blocks.',
    look: () => undefined,
  },
  {
    id: 'facilitator.reach',
    severity: 'refuse',
    at: ['start', 'live', 'doctor'],
    finds: 'the facilitator does not take the network (refused), or does not answer (not ready)',
    cure: 'Look at its status page, or set another FACILITATOR_URL.',
    why: 'The payment facilitator does not answer.',
    look: findFacilitatorFault,
  },
  {
    id: 'ledger.behind',
    severity: 'not_ready',
    at: ['told', 'doctor'],
    finds: 'a relayer has used nonces that this database never saw: it is an older copy',
    cure: 'npm run cli -- ledger rebuild',
    look: findOlderLedger,
  },
  {
    id: 'ledger.equal',
    severity: 'warn',
    at: ['doctor'],
    finds: 'the ledger does not equal the chain, refunds are due, or the audit is older than 36 h',
    cure: 'npm run cli -- ledger audit',
    look: findUnequalLedger,
  },
];

/** The worth of one settlement is what a node asks for before it takes one: its whole gas at the highest fee. */
async function findGasFault(ports: CheckPorts): Promise<Finding | undefined> {
  const { maxFeeWei: capWei, lowSettlements } = ports.config.settlement;
  const { relayers, ...chain } = chainOf(ports);
  if (relayers.length === 0) throw new Error('no relayer key is in use');
  const fee = await readMaxFee(chain, capWei);
  if (fee === undefined)
    return {
      sentence: `The network's fees are above RELAYER_MAX_FEE_GWEI (${Number(capWei) / 1e9}).`,
      cure: 'Wait, or raise RELAYER_MAX_FEE_GWEI.',
      why: 'The fees of the network are too high.',
    };
  const worth = transferGas * fee;
  for (const relayer of relayers) {
    const balanceWei = await chain.client.getBalance({ address: relayer });
    const settlementsLeft = Number(balanceWei / worth);
    if (settlementsLeft >= lowSettlements) continue;
    const ether = Number(worth * BigInt(lowSettlements)) / 1e18;
    return {
      sentence: `The relayer ${relayer} has gas for ${settlementsLeft} settlements on ${chain.network.label}.`,
      cure: `Send it ${ether.toPrecision(2)} ether or more.`,
      figures: { settlementsLeft, balanceWei: String(balanceWei) },
      severity: settlementsLeft < 1 ? 'not_ready' : 'warn',
    };
  }
  return undefined;
}

/** Undefined when the cap does not allow any. */
async function readMaxFee(
  chain: Pick<CheckedChain, 'client' | 'network'>,
  capWei: bigint,
): Promise<bigint | undefined> {
  try {
    return (await createFeeReader({ ...chain, capWei, nowMs: () => 0 }).read()).maxFeePerGas;
  } catch (error) {
    if (error instanceof FeesTooHighError) return undefined;
    throw error;
  }
}

async function findFacilitatorFault({ askFacilitator, config }: CheckPorts): Promise<Finding | undefined> {
  if (askFacilitator === undefined) throw new Error('no facilitator is configured');
  const network = config.payment?.network.id ?? '';
  const host = new URL(config.payment?.facilitators[0]?.url ?? 'https://unknown').host;
  const answer = await askFacilitator();
  if (answer === 'unsupported')
    return {
      sentence: `The facilitator ${host} does not take scheme exact of x402 version 2 on ${network}.`,
      cure: 'Change FACILITATOR_URL or NETWORK.',
      why: `The payment facilitator does not take payments on ${network} now.`,
    };
  if (answer !== 'none') return undefined;
  return { sentence: `The facilitator ${host} does not answer.`, severity: 'not_ready', isDoubt: true };
}

async function findOlderLedger(ports: CheckPorts): Promise<Finding | undefined> {
  const { client, relayers, network } = chainOf(ports);
  const { nextNonces } = await contentOf(ports);
  for (const relayer of relayers) {
    const used = await client.getTransactionCount({ address: relayer, blockTag: 'latest' });
    const known = nextNonces.get(`${network.id} ${relayer}`) ?? 0;
    if (used <= known) continue;
    return {
      sentence: `The relayer ${relayer} has used ${used} nonces, and this database knows ${known}: it may be an older copy.`,
      figures: { used, known },
    };
  }
  return undefined;
}

const auditAgeHours = 36;
const openSeconds = 900;

async function findUnequalLedger(ports: CheckPorts): Promise<Finding | undefined> {
  const { isEqual, differenceMicroUsd, lostSales, auditedAt, refundsDue, oldestOpenSeconds } = await contentOf(ports);
  const { at } = await ports.readFacts();
  const figures = { differenceMicroUsd, lostSales, refundsDue, oldestOpenSeconds };
  const hours = auditedAt && Math.round((at.getTime() - auditedAt.getTime()) / 3_600_000);
  if (!isEqual) return { sentence: `The ledger does not equal the chain: ${lostSales} lost sales.`, figures };
  if (refundsDue > 0)
    return { sentence: `${refundsDue} refunds are due.`, cure: 'npm run cli -- ledger refunds', figures };
  if (oldestOpenSeconds > openSeconds)
    return {
      sentence: `A payment is open for ${oldestOpenSeconds} seconds.`,
      cure: 'npm run cli -- ledger reconcile',
      figures,
    };
  if (hours === undefined || hours <= auditAgeHours) return undefined;
  return { sentence: `The last audit is ${hours} hours old.`, figures };
}
