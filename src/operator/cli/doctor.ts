import type { Diagnosis } from '../checks/diagnose.js';
import type { Looked } from '../checks/look-at-all.js';
import type { Figures } from '../socket/operator-commands.js';
import { renderFigures } from './render-figures.js';

/** What is wrong, gravest first: 2 where it would not start or sell, 1 where it only warns, 0 otherwise. */
export function exitCodeOf({ looked }: Diagnosis): 0 | 1 | 2 {
  const found = looked.filter(({ state }) => state === 'finding');
  if (found.length === 0) return 0;
  return found.every(({ severity }) => severity === 'warn') ? 1 : 2;
}

/** One object, as a program reads it. */
export function renderJson(diagnosis: Diagnosis): string {
  const { version, at, looked } = diagnosis;
  const verdict = (['ok', 'warn', 'fail'] as const)[exitCodeOf(diagnosis)];
  const checks = looked.map((each) => {
    const { id, severity, state, ms, ...rest } = each;
    const { sentence = null, cure = null } = 'finding' in rest ? rest.finding : {};
    const reason = 'reason' in rest ? { reason: rest.reason } : {};
    return { id, severity, state, sentence, cure, figures: figuresOf(each), ms, ...reason };
  });
  return `${JSON.stringify({ version, at: at.toISOString(), verdict, checks })}\n`;
}

function figuresOf(looked: Looked): Figures {
  if (looked.state === 'skipped') return {};
  return (looked.state === 'finding' ? looked.finding : looked).figures ?? {};
}

/** Findings first, each with its cure on a line of its own; then the figures of whatever has some. */
export function renderText({ looked }: Diagnosis): string {
  const lines: string[] = [];
  for (const each of looked)
    if (each.state === 'finding')
      lines.push(`${each.severity.replace('_', ' ')}  ${each.id}: ${each.finding.sentence}`, `  ${each.finding.cure}`);
  if (lines.length === 0) lines.push('Nothing is wrong, as far as was looked.');
  for (const each of looked) if (each.state === 'skipped') lines.push(`skipped  ${each.id}: ${each.reason}`);
  for (const each of looked) {
    const figures = renderFigures(figuresOf(each));
    if (figures !== '') lines.push(`figures  ${each.id}: ${figures}`);
  }
  lines.push(`ok  ${looked.flatMap(({ state, id }) => (state === 'ok' ? [id] : [])).join(', ')}`);
  return `${lines.join('\n')}\n`;
}
