import type { SourceAccess } from '../../src/sources/source-access.js';
import { createTestClock, createTestUpstream } from './upstream/mock-server.js';

/** Access to a mock server, with the test's clock. */
export function accessTo(baseUrl: string, rest: Partial<SourceAccess> = {}, clock = createTestClock()): SourceAccess {
  return {
    name: 'example-source',
    licence: { class: 'public_record', mayStore: true, mayResell: true, attribution: 'Example County' },
    upstream: createTestUpstream(clock),
    now: clock.now,
    baseUrl,
    requestsPerMinute: 6000,
    allowPrivate: true,
    secret: undefined,
    ...rest,
  };
}
