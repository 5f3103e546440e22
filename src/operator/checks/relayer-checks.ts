import { transferGas } from '../../payments/settlement/relayer/encode-settlement.js';
import { noGas } from '../../payments/settlement/settlement-problems.js';
import { FeesTooHighError } from '../../payments/settlement/relayer/fee-reader.js';
import { describeStuck, stuckAfterMs } from '../../payments/settlement/relayer/describe-stuck.js';
import { readGasLeft } from '../../payments/settlement/relayer/gas-left.js';
import { readSignedTransaction } from '../../payments/settlement/relayer/transmitter.js';
import { chainOf, type Check, type CheckPorts, type Finding } from './check.js';

const dayMs = 86_400_000;
/** In an hour at most: 40 million of newcomers, 18 of a burst of known payers, beside the budget of each kind. */
const worstGas = 58_000_000n;

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
      const { instances, leases } = await ports.readContent();
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
    at: ['told', 'doctor'],
    finds: 'the oldest transaction in flight has not moved for 30 s',
    cure: 'Wait: it is replaced with higher fees, up to RELAYER_MAX_FEE_GWEI. Look whether the chain makes blocks.',
    look: findStuckNonce,
  },
  {
    id: 'relayer.foreign',
    severity: 'warn',
    at: ['live', 'doctor'],
    isSlow: true,
    finds: 'another program uses the key of a relayer, or lost nonces bought nothing here',
    cure: 'Make a new key for this service, and put it first in RELAYER_PRIVATE_KEYS.',
    look: findForeignNonces,
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
    at: ['live', 'doctor'],
    isSlow: true,
    finds: 'the ledger does not equal the chain, refunds are due, or the audit is older than 36 h',
    cure: 'npm run cli -- ledger audit',
    look: findUnequalLedger,
  },
];

async function findGasFault(ports: CheckPorts): Promise<Finding | undefined> {
  const { maxFeeWei: capWei, lowSettlements, failedGasPerHour } = ports.config.settlement;
  const { relayers, ...chain } = chainOf(ports);
  if (relayers.length === 0) throw new Error('no relayer key is in use');
  for (const relayer of relayers) {
    const left = await readGasLeft(chain, relayer, capWei).catch((error: unknown) => {
      if (error instanceof FeesTooHighError) return undefined;
      throw error;
    });
    if (left === undefined)
      return {
        sentence: `The network's fees are above RELAYER_MAX_FEE_GWEI (${Number(capWei) / 1e9}).`,
        cure: 'Wait, or raise RELAYER_MAX_FEE_GWEI.',
        why: 'The fees of the network are too high.',
      };
    const { settlementsLeft, worthWei, balanceWei } = left;
    if (settlementsLeft >= lowSettlements) continue;
    const ether = Number(worthWei * BigInt(lowSettlements)) / 1e18;
    return {
      sentence: `The relayer ${relayer} has gas for ${settlementsLeft} settlements on ${chain.network.label}.`,
      cure: `Send it ${ether.toPrecision(2)} ether or more.`,
      figures: { settlementsLeft, balanceWei: String(balanceWei) },
      severity: settlementsLeft < 1 ? 'not_ready' : 'warn',
    };
  }
  const least = Math.ceil(Number(worstGas + 2n * failedGasPerHour) / Number(transferGas));
  if (lowSettlements >= least) return undefined;
  return {
    sentence: `RELAYER_LOW_SETTLEMENTS (${lowSettlements}) is less than what failed transfers may burn in an hour.`,
    cure: `Set RELAYER_LOW_SETTLEMENTS to ${least} or more.`,
    severity: 'warn',
  };
}

/** Of all configured keys, whichever instance holds them. */
async function findStuckNonce(ports: CheckPorts): Promise<Finding | undefined> {
  const { client, relayers } = chainOf(ports);
  for (const relayer of relayers) {
    const used = await client.getTransactionCount({ address: relayer, blockTag: 'latest' });
    const { seconds = 0, raws = [] } = (await ports.readInFlight?.(relayer, used)) ?? {};
    const variants = raws.map(readSignedTransaction);
    const [oldest] = variants;
    if (oldest === undefined || seconds < stuckAfterMs / 1_000) continue;
    return { sentence: describeStuck({ nonce: oldest.nonce, variants }), figures: { seconds: Math.round(seconds) } };
  }
  return undefined;
}

/** Each nonce of ours is kept before it is sent. */
async function findForeignNonces(ports: CheckPorts): Promise<Finding | undefined> {
  const { client, relayers, network } = chainOf(ports);
  const displacedAt = ports.displacedAt?.();
  if (displacedAt !== undefined && ports.now().getTime() - displacedAt.getTime() < dayMs)
    return { sentence: `Another program took a nonce of a relayer at ${displacedAt.toISOString()}.` };
  // The key of the local chain is this service's own.
  if (network.isLocal) return undefined;
  for (const relayer of relayers) {
    const used = await client.getTransactionCount({ address: relayer, blockTag: 'latest' });
    const nonces = await ports.countUnknownNonces(relayer, used);
    if (nonces === 0) continue;
    const sentence = `${nonces} nonces of the relayer ${relayer} were used in two days, and bought nothing that this database knows of.`;
    const isOlder = (await findOlderLedger(ports)) !== undefined;
    return { sentence, figures: { nonces }, ...(isOlder && { cure: rebuildFirst }) };
  }
  return undefined;
}

/** An older copy of the database has lost its newest sales: their nonces are its own. */
const rebuildFirst =
  'First npm run cli -- ledger rebuild. If nonces are left, another program uses the key: make a new one.';

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
  const { nextNonces } = await ports.readContent();
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
  const { at, ...books } = await ports.readContent();
  const { isEqual, differenceMicroUsd, lostSales, auditedAt, refundsDue, oldestOpenSeconds } = books;
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
