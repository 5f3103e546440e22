import type { PaymentStatusService } from '../payments/status/payment-status.js';
import type { Counts } from './count/count-matches.js';
import { createGetCoverage } from './coverage/get-coverage.js';
import { createDataHandlers, type DataPorts } from './data/handlers.js';
import { createDocumentHandlers, type DocumentPorts } from './documents/handlers.js';
import type { Handlers } from './handler.js';
import { createGetDealsPage } from './pages/get-deals-page.js';
import { createGetHome, type HomePorts } from './pages/get-home.js';
import { createPageHandlers } from './pages/static-pages.js';
import { createGetPayment } from './payments/get-payment.js';
import { createGetPaymentResponse } from './payments/get-payment-response.js';

export interface HandlerPorts extends DataPorts, DocumentPorts {
  readonly counts: Counts;
  readonly home: HomePorts;
  readonly paymentStatus: PaymentStatusService;
}

export function createHandlers(ports: HandlerPorts): Handlers {
  const { home, feeds, paymentStatus } = ports;
  const documents = createDocumentHandlers(ports);
  return {
    ...createDataHandlers(ports),
    ...documents,
    getCoverage: createGetCoverage(ports.coverage.readTable, ports.now),
    countMatches: ports.counts.countMatches,
    previewReport: ports.counts.previewReport,
    ...createPageHandlers(home),
    getDealsPage: createGetDealsPage({ ...home, ...documents, countMatches: ports.counts.countMatches }),
    getHome: createGetHome({ ...home, ...documents, feed: feeds.deals }),
    getPayment: createGetPayment(paymentStatus),
    getPaymentResponse: createGetPaymentResponse(paymentStatus),
  };
}
