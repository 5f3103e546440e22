import type { SourceError as WireProblem } from '../../generated/types.gen.js';
import type { SourceProblem } from '../sources/standings-reader.js';
import type { SourceErrorCode } from '../sources/source-error.js';

type Kind = WireProblem['kind'];

const kinds: Readonly<Record<SourceErrorCode, Kind>> = {
  upstream_unavailable: 'unavailable',
  upstream_not_ready: 'unavailable',
  upstream_refused: 'refused',
  robots_disallowed: 'refused',
  licence_ended: 'refused',
  delivery_missing: 'missing',
  delivery_incomplete: 'incomplete',
  delivery_changed: 'incomplete',
  count_mismatch: 'incomplete',
  delivery_unreadable: 'unreadable',
  upstream_too_large: 'unreadable',
  manifest_invalid: 'misconfigured',
  configuration_invalid: 'misconfigured',
  address_forbidden: 'misconfigured',
};

const sentences: Readonly<Record<Kind, string>> = {
  unavailable: 'The source could not be reached or was not ready. The next run tries again.',
  refused: 'The source refused the request.',
  missing: 'Nothing was delivered.',
  incomplete: 'The delivery was cut off, or changed while it was read. The next run reads it again.',
  unreadable: 'The delivery does not have the expected form.',
  misconfigured: 'The source is not set up correctly here.',
  shrunken:
    'Far fewer rows came than before. The rows that came count; missing rows stay until a later delivery confirms that they are gone.',
  other: 'The run ended for another reason. The next run tries again.',
};

/**
 * A source's problem in public form: its kind and one sentence of this file. The run's own note may name a server or a
 * file, and is only for the operator.
 */
export function sourceProblemToWire({ at, status, code }: SourceProblem): WireProblem {
  const kind = status === 'quarantined' ? 'shrunken' : code === undefined ? 'other' : kinds[code];
  return { at: at.toISOString(), kind, problem: sentences[kind] };
}
