import { setTimeout as delay } from 'node:timers/promises';
import { describeFault } from '../../payments/settlement/describe-fault.js';
import type { Check, CheckPorts, Finding, Severity } from './check.js';

/** A finding, with what its check has for all of them. */
export type Found = Finding & Pick<Check, 'cure' | 'why'>;

/** How a check went. */
export type Looked = { readonly id: string; readonly severity: Severity; readonly ms: number } & (
  | { readonly state: 'ok'; readonly figures?: Finding['figures'] }
  | { readonly state: 'finding'; readonly finding: Found }
  | { readonly state: 'skipped'; readonly reason: string }
);

const limitMs = 4_000;

/** Looks once. A check that takes longer than four seconds could not look. Never rejects. */
export async function lookOnce(check: Check, ports: CheckPorts): Promise<Looked> {
  const started = performance.now();
  const since = () => Math.round(performance.now() - started);
  const { id, severity, cure, why } = check;
  const ended = new AbortController();
  const late = delay(limitMs, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error('no answer within 4 seconds');
  });
  try {
    const finding = await Promise.race([check.look(ports), late]);
    if (finding?.sentence === undefined) return { id, severity, ms: since(), state: 'ok', ...finding };
    return {
      id,
      severity: finding.severity ?? severity,
      ms: since(),
      state: 'finding',
      finding: { cure, ...(why !== undefined && { why }), ...finding },
    };
  } catch (error) {
    return { id, severity, ms: since(), state: 'skipped', reason: describeFault(error) };
  } finally {
    late.catch(() => undefined);
    ended.abort();
  }
}

/** Looks with all of them at once, in their order. */
export async function lookAtAll(checks: readonly Check[], ports: CheckPorts): Promise<readonly Looked[]> {
  return Promise.all(checks.map((check) => lookOnce(check, ports)));
}
