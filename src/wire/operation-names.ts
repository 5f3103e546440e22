/**
 * The name of each operation on data, by its operationId: as a tool of agents. A method of the client has it in camel
 * case, a verb of the command with hyphens. What has no name is a document, a page, or read by the others.
 */
export const operationNames = {
  listDeals: 'deals',
  listHotDeals: 'hot_deals',
  listBasicDeals: 'basic_deals',
  listDealIds: 'ids',
  listSignals: 'signals',
  listAuctions: 'auctions',
  listLeads: 'leads',
  listEvents: 'events',
  buyExclusiveLead: 'exclusive_lead',
  lookUpAddress: 'lookup',
  getReport: 'report',
  previewReport: 'report_preview',
  getMeta: 'meta',
  getCoverage: 'coverage',
  countMatches: 'count',
  countChanges: 'changes',
  listSources: 'sources',
  getPayment: 'payment',
  getPaymentResponse: 'payment_reply',
} as const;

export type OperationNames = typeof operationNames;
/** An operation that has a name. */
export type NamedId = keyof OperationNames;
/** The name of a client's method. */
export type MethodName = CamelCase<OperationNames[NamedId]>;
/** The operation of a client's method. */
export type IdOf<Name extends MethodName> = {
  [Id in NamedId]: CamelCase<OperationNames[Id]> extends Name ? Id : never;
}[NamedId];

/** `hot_deals` as `hotDeals`. */
export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

export function camelCase<Name extends string>(name: Name): CamelCase<Name> {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>;
}

/** `hot_deals` as `hot-deals`. */
export function kebabCase(name: string): string {
  return name.replaceAll('_', '-');
}
