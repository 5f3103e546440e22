import { accessOf, type SourceAccess } from '../../source-access.js';
import { SourceError } from '../../source-error.js';
import { expectObject, getJson, isObject } from '../../upstream/get-json.js';

/** How a layer of an ArcGIS service is reached. */
export interface LayerAccess extends SourceAccess {
  /** Path of the layer below the base address, such as `services/x/FeatureServer/0`. */
  readonly layer: string;
}

/**
 * Asks a layer for its description, or with `/query` for what is in it. Errors come inside status 200: one that passes
 * by itself is asked again like the same status on the outside, any other is a SourceError. Source: ArcGIS REST API.
 */
export async function askLayer(
  source: LayerAccess,
  operation: '' | '/query',
  parameters: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { name, upstream, baseUrl, layer } = source;
  const url = `${baseUrl}/${layer}${operation}?${new URLSearchParams({ ...parameters, f: 'json' }).toString()}`;
  const reply = await getJson(upstream, { ...accessOf(source), url, findPassingFault });
  const answer = expectObject(reply.body, `The answer of ${name}`);
  refuseErrorBody(answer, name);
  return answer;
}

function findPassingFault(body: unknown): string | undefined {
  const code = errorCodeOf(body);
  return code !== undefined && (code === 429 || code >= 500) && code < 600 ? `it answers error ${code}` : undefined;
}

function refuseErrorBody(answer: Readonly<Record<string, unknown>>, name: string): void {
  const code = errorCodeOf(answer);
  if (code === undefined) return;
  const advice =
    code === 498 || code === 499
      ? 'The layer wants a token; it is not public.'
      : 'Correct the layer, the condition and the columns in the configuration.';
  throw new SourceError(
    'upstream_refused',
    `The service of ${name} answers error ${code} inside status 200. ${advice}`,
  );
}

function errorCodeOf(body: unknown): number | undefined {
  const error = isObject(body) ? body.error : undefined;
  return isObject(error) ? Number(error.code) : undefined;
}
