import type { Parameters } from './wire/call.js';
import { createCaller } from './create-caller.js';
import type { CallOptions, DealsClient, DealsClientOptions, OperationMethods, ViewReader } from './deals-client.js';
import { operationPaths, type OperationId, requestPath } from './wire/operation-paths.js';
import { readAnswer } from './wire/read-answer.js';
import { createRecordReader } from './wire/record-reader.js';

/**
 * Creates a client of the service. Concurrent calls together never sign more than the caps allow. The client presents a
 * payment again until its outcome is known, and signs no second one for a call while the first may still be charged.
 * @throws RangeError for an invalid option
 */
export function createDealsClient(options: DealsClientOptions): DealsClient {
  const caller = createCaller(options);
  const methods = Object.fromEntries(
    Object.keys(operationPaths).map((id) => [
      id,
      async (parameters?: Parameters, callOptions?: CallOptions) =>
        readAnswer(await caller.get(requestPath(id as OperationId, parameters), callOptions)),
    ]),
  ) as unknown as OperationMethods; // one method for each key of operationPaths, typed by the contract
  return {
    ...methods,
    // The server sends the view that is asked for.
    deals: createRecordReader(caller, 'listDeals') as ViewReader<'listDeals'>,
    hotDeals: createRecordReader(caller, 'listHotDeals') as ViewReader<'listHotDeals'>,
    basicDeals: createRecordReader(caller, 'listBasicDeals'),
    signals: createRecordReader(caller, 'listSignals'),
    auctions: createRecordReader(caller, 'listAuctions'),
    leads: createRecordReader(caller, 'listLeads'),
    price: async (id, parameters, callOptions) =>
      caller.price(requestPath(id, parameters as Parameters | undefined), callOptions),
    spending: () => caller.spending(),
  };
}
