// The exports of the package. Node also has the separate entry `file-storage`.
export { absence } from './decimal.js';
export { createDealsClient } from './create-deals-client.js';
export type * from './deals-client.js';
export { compareDecimals, decimal, sumDecimals } from './decimal.js';
export * from './error-classes.js';
export { createMemoryStorage } from './payments/payment-storage.js';
export type { MethodName } from '../wire/operation-names.js';
export type { DataOf, ParametersOf } from './wire/operation-types.js';
export type { PaymentStorage, ReplyStorage } from './payments/payment-storage.js';
export { PurchaseError, type ClientReason, type PurchaseErrorContext } from './payments/purchase-error.js';
export { renderCsv } from './wire/render-csv.js';
export { createWebStorage } from './payments/payment-storage.js';
export type * from '../../generated/types.gen.js';
