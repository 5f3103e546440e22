import { pino } from 'pino';
import { createAuthorizationVerifier } from '../../src/chain/eip3009.js';
import { createFacilitatorAuth } from '../../src/payments/settlers/facilitator-auth.js';
import { createFacilitatorClient, type FacilitatorClient } from '../../src/payments/settlers/facilitator-client.js';
import { createFacilitatorSettler } from '../../src/payments/settlers/facilitator-settler.js';
import { createFacilitatorWatch } from '../../src/payments/settlers/facilitator-watch.js';
import { startStandInFacilitator, type StandInFacilitator } from '../support/stand-in-facilitator.js';
import { openShop, type Shop } from './shop.js';

/** A shop whose payments settle through a facilitator; a second one verifies while the first does not. */
export interface FacilitatorShop {
  readonly shop: Shop;
  readonly first: StandInFacilitator;
  readonly second: StandInFacilitator;
  /** Every line that the settler has logged. */
  readonly lines: readonly string[];
  /** Lets both facilitators behave again, and puts the facilitator in front of the shop. */
  reset(): void;
  close(): Promise<void>;
}

/** Timeouts are short, so that an outcome that never comes costs a second. */
export async function openFacilitatorShop(): Promise<FacilitatorShop> {
  const shop = await openShop();
  const { chain } = shop;
  const [first, second] = [await startStandInFacilitator(chain), await startStandInFacilitator(chain)];
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const now = () => new Date();
  const clientOf = ({ url }: StandInFacilitator): FacilitatorClient =>
    createFacilitatorClient({
      url,
      authorize: createFacilitatorAuth({ headers: { 'x-api-key': 'secret-of-the-facilitator' } }, { now }),
      timeouts: { verifyMs: 1_000, settleMs: 700 },
    });
  const facilitator = clientOf(first);
  const watch = createFacilitatorWatch({ facilitator, networkId: chain.network.id, log });
  const settler = createFacilitatorSettler({
    facilitators: [facilitator, clientOf(second)],
    watch,
    client: chain.client,
    network: chain.network,
    payTo: chain.payTo.address,
    verifier: await createAuthorizationVerifier(chain.domain),
    evidence: { find: (question) => (shop.faults.evidence.find ?? shop.real.evidence.find)(question) },
    resourceOf: (operationId) => ({ url: `https://deals.example/${operationId}`, description: '', mimeType: '' }),
    now,
    log,
    timeoutMs: 1_000,
    doubtMs: 300,
  });
  return {
    shop,
    first,
    second,
    lines,
    reset() {
      first.behaviours = {};
      second.behaviours = {};
      shop.mend();
      shop.faults.settler = settler;
    },
    async close() {
      await settler.close();
      await shop.close().finally(() => Promise.all([first.stop(), second.stop()]));
    },
  };
}
