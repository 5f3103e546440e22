import { openServed, type Served } from './served.js';
import { specifyDocuments } from './specify-documents.js';
import { specifyEndpoints } from './specify-endpoints.js';
import { specifyRecords } from './specify-records.js';
import { specifyRules } from './specify-rules.js';

describe('the service specification', function () {
  let served: Served;
  before(async function () {
    served = await openServed();
  });
  after(() => served.stop());

  describe('resources and their fields', () => specifyRecords(() => served));
  describe('free documents', () => specifyDocuments(() => served));
  describe('endpoints', () => specifyEndpoints(() => served));
  describe('rules', () => specifyRules(() => served));
});
