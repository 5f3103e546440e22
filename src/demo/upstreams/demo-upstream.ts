import type { MockServer } from './mock-server.js';

/** The key that some of these servers require. It is public and opens nothing else. */
export const demonstrationKey = { name: 'SOURCE_SECRET_DEMONSTRATION', value: 'demonstration' } as const;

/** A mock server of the demonstration: its host, its replies, and its entries in the file of sources. */
export interface DemoUpstream {
  readonly host: string;
  /** IANA name of the time zone whose day it shows. */
  readonly timeZone: string;
  readonly answer: MockServer;
  readonly entries: readonly Readonly<Record<string, unknown>>[];
}
