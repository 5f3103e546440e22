import { Counter, type Registry } from 'prom-client';
import type { Contract, ContractOperation } from '../../contract/contract.js';
import type { Reason } from '../../errors.js';
import type { AnsweredCall, OnAnswered } from '../../operations/operation.js';
import { otherOutcomes, outcomeOf, paidOutcomes, type Outcome } from '../../operations/outcome.js';
import { toAtomicUnits } from '../../payments/chain/token-amount.js';
import { createTimes } from './create-times.js';
import type { Demand } from './demand.js';

const setOf = (...some: Reason[]): ReadonlySet<string> => new Set(some);
/** With these, and with a fault, the payment was not its payer's, or not for this. */
const unsignedReasons = setOf(
  'payment_malformed',
  'payment_invalid',
  'payment_wrong_resource',
  'payment_amount_mismatch',
  'rate_limited',
);

/**
 * Counts calls. What can be counted of each operation is there from the start, at 0. A call adds to plain numbers,
 * which become series when somebody reads them.
 */
export function createCallMetrics(registry: Registry, { operations }: Contract, demand: Demand): OnAnswered {
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `deals_${name}`, help, labelNames, registers: [registry] });
  const refusals = counter('refusals_total', 'Replies of 4xx and 5xx but offers.', 'operation', 'reason');
  const unmatched = counter('unmatched_total', 'Calls that matched nothing, and cost nothing.', 'operation');
  const byFilter = counter('unmatched_filter_total', 'Unmatched calls by each filter given.', 'operation', 'filter');
  const byPlace = counter('unmatched_place_total', 'Unmatched calls by metro, else by state.', 'operation', 'place');
  const limited = counter('limited_total', 'Calls over a limit, by its name.', 'limit');
  const classes = ['asked', 'paid', 'free', 'mcp'] as const;
  const times = createTimes(registry, 'request_seconds', 'How long replies took.', 'class', classes);

  function open({ operationId, priceUsd, tool }: Pick<ContractOperation, 'operationId' | 'priceUsd' | 'tool'>) {
    const isPriced = priceUsd !== undefined;
    const outcomes: readonly Outcome[] = [...(isPriced ? paidOutcomes : (['free'] as const)), ...otherOutcomes];
    const over = (transport: AnsweredCall['transport']) => ({
      labels: { operation: operationId, transport },
      calls: Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>,
      signed: 0,
      wishes: isPriced ? demand.open(operationId, transport) : undefined,
    });
    if (isPriced) unmatched.labels(operationId);
    const http = over('http');
    const price = isPriced ? Number(toAtomicUnits(priceUsd)) : undefined;
    return { price, http, mcp: tool === undefined ? http : over('mcp') };
  }

  const none = { operationId: 'none', priceUsd: undefined, tool: undefined };
  // Who asks whether it lives is no caller.
  const counted = operations.filter(({ tags }) => !tags.includes('health'));
  const series = new Map([none, ...counted].map((each) => [each.operationId, open(each)]));

  type Series = ReturnType<typeof open>;
  const labelNames = ['operation', 'transport', 'outcome'];
  const collected = (name: string, help: string, tell: (into: Counter, of: Series['http'], price?: number) => void) =>
    new Counter({
      ...{ name: `deals_${name}`, help, labelNames, registers: [registry] },
      collect() {
        this.reset();
        for (const { price, http, mcp } of series.values())
          for (const of of new Set([http, mcp])) tell(this as Counter, of, price);
      },
    });
  collected('calls_total', 'Calls by what they came to.', (into, { labels: of, calls }) => {
    for (const [outcome, count] of Object.entries(calls)) into.inc({ ...of, outcome }, count);
  });
  collected('signed_total', 'Calls with an authentic payment.', (into, { labels: of, signed }, price) => {
    if (price !== undefined) into.inc(of, signed);
  });
  collected('revenue_microusdc_total', 'Sales, in 1e-6 USDC.', (into, { labels: of, calls }, price) => {
    if (price !== undefined) into.inc(of, calls.sold * price);
  });

  return ({ transport, operationId: operation = 'none', reply, query, hasPayment, ms }) => {
    const of = series.get(operation);
    if (of === undefined) return;
    const isPriced = of.price !== undefined;
    const { outcome, reason } = outcomeOf(reply, isPriced);
    const over = of[transport];
    over.calls[outcome]++;
    times.observe(transport === 'mcp' ? 'mcp' : hasPayment ? 'paid' : isPriced ? 'asked' : 'free', ms / 1_000);
    if (hasPayment && outcome !== 'faulty' && !unsignedReasons.has(reason ?? '')) over.signed++;
    if (outcome === 'limited') limited.labels(limitOf(reply.headers['RateLimit-Policy'])).inc();
    if (reason !== undefined && outcome !== 'asked') refusals.labels(operation, reason).inc();
    if (outcome !== 'asked' && outcome !== 'sold' && outcome !== 'unmatched') return;
    const wish = over.wishes?.(query, outcome);
    if (outcome !== 'unmatched' || wish === undefined) return;
    unmatched.labels(operation).inc();
    for (const filter of wish.filters) byFilter.labels(operation, filter).inc();
    // Counties are too many for labels.
    byPlace.labels(operation, (/^\d/.test(wish.place) ? '' : wish.place) || wish.state || 'none').inc();
  };
}

/** The name in `"unpaid";q=600;w=60`. */
function limitOf(policy: string | undefined): string {
  return /^"([a-z-]{1,20})"/.exec(policy ?? '')?.[1] ?? 'other';
}
