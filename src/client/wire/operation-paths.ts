import type { Operations } from '../../../generated/operations.gen.js';

/** Every operation of the contract, by its operationId. */
export type OperationId = keyof Operations;

/** The path of each operation. A missing operation or a wrong path does not compile. */
export const operationPaths: { readonly [Id in OperationId]: Operations[Id]['data']['url'] } = {
  getMeta: '/api/meta',
  listDeals: '/api/deals',
  listHotDeals: '/api/deals/hot',
  listBasicDeals: '/api/deals/basic',
  listDealIds: '/api/deals/ids',
  listSources: '/api/sources',
  countChanges: '/api/changes',
  getReport: '/api/deals/{id}/report',
  listSignals: '/api/signals',
  listAuctions: '/api/auctions',
  listLeads: '/api/leads',
  buyExclusiveLead: '/api/leads/exclusive',
  lookUpAddress: '/api/lookup',
  getPage: '/api/pages/{token}',
  getPayment: '/api/payments/{payment_id}',
  getPaymentResponse: '/api/payments/{payment_id}/response',
  getContractJson: '/openapi.json',
  getContractYaml: '/openapi.yaml',
  getLlmsText: '/llms.txt',
  getX402Discovery: '/.well-known/x402',
  getApiCatalog: '/.well-known/api-catalog',
  getSecurityText: '/.well-known/security.txt',
  getFavicon: '/favicon.svg',
  getHome: '/',
  getReportViewer: '/report',
  getErrorGuide: '/errors',
  getPageAsset: '/assets/{asset}',
  getDocs: '/docs',
  getDocsScript: '/docs/reference.js',
  getHealth: '/healthz',
  getReadiness: '/readyz',
};
