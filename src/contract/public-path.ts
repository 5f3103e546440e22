/**
 * The path of an operation as addresses have it: the braces of a template are percent-encoded, since an address may not
 * hold them. Such an address names the operation; whoever asks for it as it stands is told to put a value in.
 */
export function publicPath(template: string): string {
  return template.replaceAll('{', '%7B').replaceAll('}', '%7D');
}
