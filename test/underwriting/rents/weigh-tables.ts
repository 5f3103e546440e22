import { carriedTables } from '../../../src/underwriting/rents/carried-tables.js';
import { doReferenceWork } from '../../support/reference-cpu.js';

/** A process that tells what reading the carried tables takes, as when a server starts. */
export interface Weighed {
  /** In times the reference work. */
  readonly cpu: number;
  readonly bytes: number;
}

const held = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const cpuOf = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};
const bytesBefore = held();
let tables: ReturnType<typeof carriedTables> = [];
const taken = cpuOf(() => (tables = carriedTables()));
const bytes = held() - bytesBefore;
process.send?.({ cpu: taken / cpuOf(doReferenceWork), bytes } satisfies Weighed, () =>
  process.exit(tables.length > 0 ? 0 : 1),
);
