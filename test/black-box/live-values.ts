import type { ContractOperation } from '../../src/contract/contract.js';
import type { DealIds, Meta } from '../../generated/types.gen.js';
import type { Target } from './target.js';

/** What stands in a server now, by which its operations can be asked. */
export interface LiveValues {
  /** The target of an operation that can be asked as it is: parameters that it needs are filled in. */
  pathOf(operation: ContractOperation): string;
  /**
   * The same where nothing stands that its path could name; undefined where its path names nothing, or what is sold.
   */
  emptyPathOf(operation: ContractOperation): string | undefined;
  /** Whether something stands at `pathOf`, as far as its path is concerned. */
  isThere(operation: ContractOperation): boolean;
}

/** What nothing is named by, in any server. */
const nothing: Readonly<Record<string, string>> = {
  id: '00000000-0000-4000-8000-000000000000',
  token: 'abcdefghijklmnopqrst',
  payment_id: `0x${'00'.repeat(32)}`,
  asset: 'no-such-asset.css',
};

/** Looks in what is free for a deal and an address. */
export async function findLiveValues(target: Target, now: Date): Promise<LiveValues> {
  const { ids } = await readFree<DealIds>(target, 'listDealIds');
  const { free_samples: samples } = await readFree<Meta>(target, 'getMeta');
  const deal = samples.deals.find(({ address }) => address !== null);
  const values: Readonly<Record<string, string>> = {
    id: ids[0]?.id ?? nothing['id'] ?? '',
    address: deal === undefined ? '1 Main St, Cleveland, OH 44105' : `${deal.address}, ${deal.city}, ${deal.state}`,
    since: new Date(now.getTime() - 86_400_000).toISOString(),
    asset: 'home.css',
    of: 'deals',
  };
  return {
    pathOf: (operation) => fillIn(operation, { ...nothing, ...values }),
    emptyPathOf: (operation) =>
      namesIn(operation).some((name) => Object.hasOwn(nothing, name))
        ? fillIn(operation, { ...values, ...nothing })
        : undefined,
    isThere: (operation) => namesIn(operation).every((name) => Object.hasOwn(values, name)),
  };
}

function namesIn({ path }: ContractOperation): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function fillIn({ path, parameters }: ContractOperation, values: Readonly<Record<string, string>>): string {
  const valueOf = (name: string): string => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value is known for the parameter ${name} of ${path}.`);
    return encodeURIComponent(value);
  };
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=${valueOf(name)}`)
    .join('&');
  return path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(name)) + (query === '' ? '' : `?${query}`);
}

async function readFree<Body>(target: Target, operationId: string): Promise<Body> {
  const operation = target.findOperation(operationId);
  const { status, body } = await target.ask(operation, operation.path);
  if (status !== 200) throw new Error(`${operation.path} answers ${status}.`);
  // The answer was held against the contract.
  return body as Body;
}
