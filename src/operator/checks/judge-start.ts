import { refuseAny } from '../../config/config.js';
import type { Check, CheckPorts } from './check.js';
import { checks } from './checks.js';
import { lookAtAll } from './look-at-all.js';

/**
 * Looks with every check of the start, and at the findings of the configuration. What cannot be asked now, or only
 * keeps the service from being ready, is no reason to refuse. Returns what is only warned of, as sentences.
 *
 * @throws OperatorError with all sentences of what stays wrong until somebody edits something
 */
export async function judgeStart(ports: CheckPorts, all: readonly Check[] = checks): Promise<readonly string[]> {
  const looked = await lookAtAll(
    all.filter(({ at }) => at.includes('start')),
    ports,
  );
  const found = looked.flatMap((each) =>
    each.state === 'finding'
      ? [{ severity: each.severity, sentence: `${each.finding.sentence} ${each.finding.cure}` }]
      : [],
  );
  const judged = [...ports.findings, ...found];
  refuseAny(judged);
  return judged.flatMap(({ severity, sentence }) => (severity === 'warn' ? [sentence] : []));
}
