import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Deal, DealIds, PaymentStatus, Report } from '../../generated/types.gen.js';
import { createGetPayment } from '../../src/api/payments/get-payment.js';
import { valueOf } from '../../src/absence.js';
import type { ObservedAuction } from '../../src/counties/auctions/auction.js';
import type { ContractOperation } from '../../src/contract/contract.js';
import type { PaymentReport, PaymentStatusService } from '../../src/payments/status/payment-status.js';
import { SourceError } from '../../src/sources/source-error.js';
import { anyDeal } from '../deals/reports/arbitrary-deal.js';
import { maybeStated } from '../deals/reports/arbitrary-matches.js';
import { writeReport } from '../deals/reports/write-report.js';
import { anyAuction, anySignal, numberAuctions, numberSignals } from '../sources/ingest/arbitrary-observation.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { nextLink } from '../support/api-client.js';
import type { TestApp } from '../support/app.js';
import { observeDebtsOn, readMatchingSignals } from '../support/county-records.js';
import { livePath } from '../support/live-path.js';
import { deep } from '../support/depth.js';
import { buy } from '../support/pay.js';
import { readSource } from '../support/read-source.js';

/** Of signals, of auctions and of deals: as many as their schemas need to have 10,000 different mutants, or 400. */
const drawn = deep(140, 30);

/**
 * Beside the demonstration: tax debts on some deals, county records with any combination of values and absences, a
 * source that failed after a success, one that never had any.
 */
export async function addDistress(app: TestApp): Promise<void> {
  const signals = numberSignals(fc.sample(anySignal(maybeStated), { numRuns: drawn }));
  await readMatchingSignals(app, [...observeDebtsOn(await dealsInCleveland(app)), ...signals]);
  const sales = createScriptedDelivery('auctions', { name: 'any-sales', now: app.now });
  sales.deliver({ pages: [anySales(app.now())] });
  await readSource(app, sales);
  for (const name of ['broke-off', 'never-read']) {
    const source = createScriptedDelivery('parcels', { name, now: app.now });
    if (name === 'broke-off') await readSource(app, source);
    source.onFetch = () => Promise.reject(new SourceError('upstream_unavailable', 'It is closed.'));
    await readSource(app, source);
  }
  await app.pipeline.publish('changed');
}

/** Sales of which the half is to come, and is a lead where it has an address. */
function anySales(now: Date): ObservedAuction[] {
  const dayOf = (index: number): string =>
    new Date(now.getTime() + (index + 3) * 86_400_000).toISOString().slice(0, 10);
  return numberAuctions(fc.sample(anyAuction(maybeStated), { numRuns: drawn })).map((sale, index) =>
    index % 2 === 0 ? sale : { ...sale, saleDate: dayOf(index), saleStatus: 'scheduled' },
  );
}

/**
 * What an operation replies with 200, more than once where one reply does not have every kind of record and absence.
 */
export async function sampleReplies(app: TestApp, { operationId, path }: ContractOperation): Promise<unknown[]> {
  const at = app.url + livePath(app, path);
  switch (operationId) {
    case 'getPayment':
      return paymentReplies();
    case 'getReport': {
      const { ids } = (await read(`${app.url}/api/deals/ids`)) as DealIds;
      const some = ids.filter((_, index) => index % 30 === 0);
      return [...(await Promise.all(some.map(({ report_url: url }) => read(app.url + url)))), ...matchedReports()];
    }
    case 'lookUpAddress': {
      const deals = observeDebtsOn(await dealsInCleveland(app)).map(
        ({ address }) => `${valueOf(address) ?? ''}, Cleveland, OH`,
      );
      const questions = ['100 Example Ave, Cleveland, OH 44105', '100 Example Ave, OH 44109', ...deals];
      const lookups = questions.map((each) => read(`${app.url}${path}?address=${encodeURIComponent(each)}`));
      return Promise.all([read(at), ...lookups]);
    }
    case 'listEvents':
      return [await read(at), await read(`${at}?feed=auctions`)];
    case 'listDeals':
      return [await read(at), await read(`${at}?view=compact`)];
    case 'getMeta':
      return [await read(at), await read(`${at}?view=short`)];
    case 'listSignals':
      return [await read(at), ...(await pagesOf(`${at}?limit=1`, drawn))];
    case 'listAuctions':
      return [await read(`${at}?include_past=true`)];
    case 'buyExclusiveLead': {
      const sold: unknown[] = [];
      for (const kind of ['sheriff_sale_auction', 'tax_delinquent_owner', 'motivated_listing'])
        for (let count = 0; count < 20; count++) {
          const reply = await buy(`${at}?lead_type=${kind}`);
          if (reply.status === 404) break;
          assert.equal(reply.status, 200, kind);
          sold.push(await reply.json());
        }
      return sold;
    }
    default:
      return [await read(at)];
  }
}

/** Buys where there is a price. */
async function read(url: string): Promise<unknown> {
  return (await answerAt(url)).json();
}

async function answerAt(url: string): Promise<Response> {
  const unpaid = await fetch(url);
  const reply = unpaid.status === 402 ? await buy(url) : unpaid;
  assert.equal(reply.status, 200, url);
  return reply;
}

/** The first so many pages of a list. */
async function pagesOf(url: string, count: number): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let next: string | undefined = url; next !== undefined && pages.length < count;) {
    const reply = await answerAt(next);
    const link = nextLink(reply);
    next = link && new URL(link, url).href;
    pages.push(await reply.json());
  }
  return pages;
}

async function dealsInCleveland(app: TestApp): Promise<Deal[]> {
  return (await read(`${app.url}/api/deals?state=OH&city=Cleveland`)) as Deal[];
}

/** Reports with matched county records, of which some say less than others. */
function matchedReports(): Report[] {
  return fc.sample(anyDeal, { numRuns: drawn }).map((deal) => writeReport(deal));
}

/** What is told of a payment in each of its states. */
async function paymentReplies(): Promise<PaymentStatus[]> {
  const claimed: PaymentReport = {
    state: 'claimed',
    operationId: 'listDeals',
    amount: 50_000n,
    network: 'eip155:8453',
    asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    claimedAt: new Date('2026-11-21T06:00:00.000Z'),
    settlement: undefined,
    delivered: false,
    redeliveryUntil: undefined,
    open: {
      chargeableUntil: new Date('2026-11-21T07:00:00.000Z'),
      endsBy: new Date('2026-11-21T07:20:00.000Z'),
    },
  };
  const settledAt = new Date('2026-11-21T06:00:01.000Z');
  const settlement = { transaction: `0x${'a'.repeat(64)}`, blockNumber: 7n, settledAt } as const;
  const reports: PaymentReport[] = [
    claimed,
    { ...claimed, state: 'released', open: undefined },
    { ...claimed, state: 'settled', open: undefined, settlement, delivered: true, redeliveryUntil: settledAt },
  ];
  const ask = (report: PaymentReport) =>
    createGetPayment({ report: () => Promise.resolve(report) } as unknown as PaymentStatusService)({
      path: { payment_id: `0x${'b'.repeat(64)}` },
      query: {},
    });
  return Promise.all(reports.map(async (report) => (await ask(report)).body as PaymentStatus));
}
