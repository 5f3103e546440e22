import type { ChangeRule, EventRules, EventValues, RecordEvent } from './event.js';

/** A record as a version has it; undefined where it is not there. */
export interface Sides<Columns> {
  readonly before: Columns | undefined;
  readonly after: Columns | undefined;
  /** Whether an event has told that the record was removed. */
  readonly wasRemoved: boolean;
}

/**
 * What happened to a record between two versions. Prices, statuses, dates and presence are compared, nothing else: the
 * same data in another rendering is no event.
 *
 * @param shape the columns that the version before is sure to have, as `shapeOf` writes them
 */
export function findEvents<Columns>(
  { changes, lastOf }: EventRules<Columns>,
  { before, after, wasRemoved }: Sides<Columns>,
  shape: string,
): readonly RecordEvent[] {
  if (before === undefined) return after === undefined ? [] : [{ event: wasRemoved ? 'relisted' : 'listed' }];
  if (after === undefined) return [{ event: 'removed', before: lastOf(before) }];
  const known = new Set(shape.split(' ').map((column) => column.split(':')[0]));
  return changes.flatMap((rule) =>
    rule.columns.every((column) => known.has(column)) ? findChange(rule, before, after) : [],
  );
}

function findChange<Columns>(
  { event, valuesOf, isNoise = () => false }: ChangeRule<Columns>,
  before: Columns,
  after: Columns,
): RecordEvent[] {
  const [old, present] = [valuesOf(before), valuesOf(after)];
  const changed = [...new Set([...Object.keys(old), ...Object.keys(present)])].filter((name) => {
    const [one, other] = [old[name], present[name]];
    return one !== other && (one === undefined || other === undefined || !isNoise(one, other));
  });
  return changed.length === 0 ? [] : [{ event, before: pick(old, changed), after: pick(present, changed) }];
}

function pick(values: EventValues, names: readonly string[]): EventValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** Cents as money is written. */
export function usd(cents: number): string {
  return (cents / 100).toFixed(2);
}
