import type { MockServer } from './mock-server.js';

/** What some of these servers want: it opens nothing else, and is written in the open. */
export const demonstrationKey = { name: 'SOURCE_SECRET_DEMONSTRATION', value: 'demonstration' } as const;

/** A server of the demonstration: its host, what answers there, and the entries of the file of sources that read it. */
export interface DemoUpstream {
  readonly host: string;
  /** IANA name of the time zone whose day it shows. */
  readonly timeZone: string;
  readonly answer: MockServer;
  readonly entries: readonly Readonly<Record<string, unknown>>[];
}
