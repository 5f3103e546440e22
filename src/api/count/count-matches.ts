import { type Contract, type ContractOperation, priceLabel } from '../../contract/contract.js';
import { ServiceError, type ParameterFault } from '../../errors.js';
import type { PreviewAsked } from '../../operations/operation.js';
import type { MatchPreview } from '../../../generated/types.gen.js';
import type { LeadHolds } from '../../feeds/lead-holds.js';
import type { CoverageTable } from '../coverage/coverage-table.js';
import type { ReadReport } from '../data/get-report.js';
import type { Handler } from '../handler.js';
import { howShown } from '../../wire/how-shown.js';
import { filtersIn } from './count-feed.js';
import { countedOperations, createCounters, type CountedOf, type CountersPorts } from './counters.js';
import { previewOfReport } from './preview-of-report.js';

export interface CountPorts extends CountersPorts {
  readonly leadHolds: LeadHolds;
  readonly readReport: ReadReport;
  readonly readTable: () => Promise<CoverageTable>;
  /** Counts a question of an address; the refusal where there were too many. */
  readonly limit: { take(address: string): ServiceError | undefined };
  /** The 503 while the feed of an operation was never published. */
  readonly findUnpublishedOf: (operation: ContractOperation) => (() => ServiceError | undefined) | undefined;
}

/** Counts of leads leave out held leads. */
const leadsOnly: ReadonlySet<CountedOf> = new Set(['leads', 'exclusive_lead']);

/** The free answers about records that a paid query would deliver now. */
export interface Counts {
  /** GET /api/count: the matches of a paid query, in bounds and bands. */
  readonly countMatches: Handler<'countMatches'>;
  /** GET /api/deals/{id}/report/preview: which sections a report would have, in bands. */
  readonly previewReport: Handler<'previewReport'>;
  /** Creates the preview in an operation's 402; undefined for an operation that is not counted. */
  previewOf(operation: ContractOperation): PreviewAsked | undefined;
}

export function createCounts(ports: CountPorts): Counts {
  const { contract, leadHolds, readReport, limit, readTable } = ports;
  const counters = createCounters(ports);
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));

  const previewReport = async (id: string) =>
    previewOfReport((await readReport(id)).body, priceLabel(byId('getReport')));

  function byId(id: string): ContractOperation {
    const operation = operations.get(id);
    if (operation === undefined) throw new Error(`The contract lacks ${id}.`);
    return operation;
  }

  return {
    async countMatches({ query: { of, ...query }, address = '' }) {
      const operation = byId(countedOperations[of]);
      const refusal = limit.take(address) ?? findForeignFilter(operation, query, contract);
      if (refusal !== undefined) throw refusal;
      const unpublished = ports.findUnpublishedOf(operation)?.();
      if (unpublished !== undefined) throw unpublished;
      if (leadsOnly.has(of)) await leadHolds.refreshIfOld();
      const counted = counters[of].count(filtersIn(query), await readTable());
      const buy = addressOf(operation.path, query);
      return { status: 200, body: { of, ...counted, price: priceLabel(operation), buy } };
    },
    async previewReport({ path: { id }, address = '' }) {
      const refusal = limit.take(address);
      if (refusal !== undefined) throw refusal;
      return { status: 200, body: await previewReport(id) };
    },
    previewOf({ operationId }) {
      if (operationId === 'getReport')
        return async ({ path }, address) =>
          limit.take(address) === undefined ? previewReport(String(path['id'])) : undefined;
      const of = (Object.keys(countedOperations) as CountedOf[]).find(
        (each) => countedOperations[each] === operationId,
      );
      const previewCount = of && counters[of].preview;
      if (of === undefined || previewCount === undefined) return undefined;
      const known = new WeakMap<object, MatchPreview>();
      return async ({ query }, address) => {
        const filters = filtersIn(query);
        // Without filters the count is made once per version, and reveals no single record.
        if (Object.keys(filters).length > 0 && limit.take(address) !== undefined) return undefined;
        if (leadsOnly.has(of)) await leadHolds.refreshIfOld();
        const counted = previewCount(filters, await readTable());
        let preview = known.get(counted);
        if (preview === undefined) {
          preview = { ...counted, url: addressOf('/api/count', filters, of) };
          known.set(counted, preview);
        }
        return preview;
      };
    },
  };
}

/** The refusal of a filter of another feed. */
function findForeignFilter(
  { parameters }: ContractOperation,
  query: object,
  { operations }: Contract,
): ServiceError | undefined {
  const faults = Object.keys(query).flatMap((name): ParameterFault[] => {
    if (howShown.includes(name) || parameters.some((each) => each.name === name)) return [];
    const having = Object.entries(countedOperations).filter(([, id]) =>
      operations.some((each) => each.operationId === id && each.parameters.some((own) => own.name === name)),
    );
    const detail = `a filter of ${having.map(([of]) => of).join(', ')} alone`;
    return [{ parameter: name, in: 'query', reason: 'unknown_parameter', detail }];
  });
  if (faults.length === 0) return undefined;
  return new ServiceError('unknown_parameter', 'Correct the parameters in `errors`.', { faults });
}

/** The address of the paid call that was counted, or of the count of it. */
function addressOf(path: string, query: object, of?: CountedOf): string {
  const parts = Object.entries(query)
    .map(
      ([name, value]) =>
        `${name}=${[value]
          .flat()
          .map((item) => encodeURIComponent(String(item)))
          .join(',')}`,
    )
    .sort();
  if (of !== undefined) parts.unshift(`of=${of}`);
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}
