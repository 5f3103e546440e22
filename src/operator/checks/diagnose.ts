import type { JudgedConfig } from '../../config/config.js';
import type { Check } from './check.js';
import { checks } from './checks.js';
import { lookAtAll, type Looked } from './look-at-all.js';
import { openCheckPorts } from './open-check-ports.js';

/** What the doctor says. */
export interface Diagnosis {
  readonly version: string;
  readonly at: Date;
  readonly looked: readonly Looked[];
}

/** Looks with every check of the doctor, or with `some`, and changes nothing. */
export async function diagnose(
  judged: JudgedConfig,
  { version, ...clock }: Pick<Diagnosis, 'version'> & Parameters<typeof openCheckPorts>[1],
  some: readonly Check[] = checks,
): Promise<Diagnosis> {
  const ports = openCheckPorts(judged, clock);
  try {
    const ofDoctor = some.filter(({ at }) => at.includes('doctor'));
    return { version, at: clock.now(), looked: await lookAtAll(ofDoctor, ports) };
  } finally {
    await ports.close();
  }
}
