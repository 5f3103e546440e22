import { pino } from 'pino';
import { createAuthorizationVerifier } from '../../src/payments/chain/eip3009.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { createSettlementProblems } from '../../src/payments/settlement/settlement-problems.js';
import type { EvidenceQuestion } from '../../src/payments/settlement/resolve-open-payment.js';
import { createFacilitatorAuth } from '../../src/payments/settlement/facilitator/facilitator-auth.js';
import {
  createFacilitatorClient,
  type FacilitatorClient,
} from '../../src/payments/settlement/facilitator/facilitator-client.js';
import { createFacilitatorSettler } from '../../src/payments/settlement/facilitator/facilitator-settler.js';
import { createSoldResources } from '../../src/payments/gate/sold-resource.js';
import { startMockFacilitator, type MockFacilitator } from '../support/mock-facilitator.js';
import { openShop, type Shop } from './shop.js';

/** A shop whose payments settle through a facilitator; a second one verifies while the first does not. */
export interface FacilitatorShop {
  readonly shop: Shop;
  readonly first: MockFacilitator;
  readonly second: MockFacilitator;
  /** Every line that the settler has logged. */
  readonly lines: readonly string[];
  /** The check that keeps it from selling. */
  problem(): string | undefined;
  /** Lets both facilitators behave again, and settles through them with all the patience that a slow machine needs. */
  reset(): void;
  /** Waits but briefly from now on, for what never comes. */
  hurry(): void;
  /** From now on a transfer must be so deep; each look at the height of the chain finds one block more. */
  demandDepth(confirmations: number): void;
  close(): Promise<void>;
}

export async function openFacilitatorShop(): Promise<FacilitatorShop> {
  const shop = await openShop();
  const { chain } = shop;
  // Its client wakes nobody.
  await chain.mineBlocks();
  const [first, second] = [await startMockFacilitator(chain), await startMockFacilitator(chain)];
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const clientOf = ({ url }: MockFacilitator): FacilitatorClient =>
    createFacilitatorClient({
      url,
      authorize: createFacilitatorAuth(
        { headers: { 'x-api-key': 'secret-of-the-facilitator' } },
        { now: () => new Date() },
      ),
      timeouts: { verifyMs: 10_000, settleMs: 1_000 },
    });
  const problems = createSettlementProblems(() => 0);
  const common = {
    facilitators: [clientOf(first), clientOf(second)] as const,
    problems,
    client: chain.client,
    network: chain.network,
    payTo: chain.payTo.address,
    verifier: await createAuthorizationVerifier(chain.domain),
    evidence: {
      ...shop.real.evidence,
      find: (question: EvidenceQuestion) => (shop.faults.evidence.find ?? shop.real.evidence.find)(question),
    },
    resourceOf: createSoldResources(loadContract(), 'https://deals.example'),
    nowMs: () => performance.now(),
    log,
  };
  const patient = createFacilitatorSettler({ ...common, timeoutMs: 20_000, doubtMs: 20_000 });
  const growing = {
    ...chain.client,
    async getBlockNumber() {
      await chain.mineBlocks();
      return chain.client.getBlockNumber();
    },
  };
  const hasty = createFacilitatorSettler({ ...common, timeoutMs: 200, doubtMs: 100 });
  return {
    shop,
    first,
    second,
    lines,
    problem: () => problems.current()?.id,
    reset() {
      first.behaviours = {};
      second.behaviours = {};
      shop.mend();
      shop.faults.settler = patient;
    },
    hurry: () => (shop.faults.settler = hasty),
    demandDepth(confirmations) {
      shop.faults.settler = createFacilitatorSettler({ ...common, client: growing, timeoutMs: 20_000, confirmations });
    },
    async close() {
      await Promise.all([patient.close(), hasty.close()]);
      await shop.close().finally(() => Promise.all([first.stop(), second.stop()]));
    },
  };
}
