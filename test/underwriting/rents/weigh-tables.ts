import { carriedTables } from '../../../src/underwriting/rents/carried-tables.js';

/** A process that tells what reading the carried tables takes, as when a server starts. */
export interface Weighed {
  readonly cpuMs: number;
  readonly bytes: number;
}

const held = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const [bytesBefore, cpuBefore] = [held(), process.cpuUsage()];
const tables = carriedTables();
const { user, system } = process.cpuUsage(cpuBefore);
process.send?.({ cpuMs: (user + system) / 1_000, bytes: held() - bytesBefore } satisfies Weighed, () =>
  process.exit(tables.length > 0 ? 0 : 1),
);
