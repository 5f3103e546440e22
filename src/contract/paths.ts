/** The values of a request's parameters, as its operation has read them. */
export interface ParameterValues {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** The path of an address below PUBLIC_BASE_URL. */
export function pathOf(resource: string): string {
  const [path = ''] = resource.split('?', 1);
  return path;
}

/**
 * The raw values of a template's parameters in a concrete path, still percent-encoded; undefined where the path has
 * another template.
 */
export function readPathValues(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const values: Record<string, string> = {};
  const parts = path.split('/');
  const names = template.split('/');
  const isOfTemplate =
    parts.length === names.length &&
    names.every((name, index) => {
      const part = parts[index] ?? '';
      if (!name.startsWith('{')) return name === part;
      values[name.slice(1, -1)] = part;
      return true;
    });
  return isOfTemplate ? values : undefined;
}
