import { OperatorError } from '../errors.js';
import { SourceError } from './source-error.js';
import type { DeliveryKind, Source } from './source.js';

type SourceToAsk = Pick<Source<DeliveryKind>, 'name' | 'kind' | 'tellsChanges' | 'assertCanBeginAt'>;

/**
 * Throws an OperatorError unless a source can be read from where an operator says. To be asked before a run begins: one
 * that failed by the operator's word would count as a fault of the source.
 */
export function assertCanBeginAt(source: SourceToAsk, since: string): void {
  if (source.tellsChanges !== true) throw readWhole(source);
  try {
    source.assertCanBeginAt?.(since);
  } catch (error) {
    throw error instanceof SourceError ? new OperatorError(error.message) : error;
  }
}

function readWhole({ name, kind }: SourceToAsk): OperatorError {
  return new OperatorError(
    `The source ${name} (${kind}) cannot tell what has changed since a watermark; it is always read whole. Order it without --since: ingest ${name}.`,
  );
}
