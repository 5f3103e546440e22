/** The parsed `openapi.yaml`, as far as the server reads it. */
export interface Contract {
  /** The handwritten file, byte for byte. */
  readonly text: string;
  /** The parsed document. */
  readonly document: ContractDocument;
  /** Every operation, in the order of the file. */
  readonly operations: readonly ContractOperation[];
}

export interface ContractDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly contact: { readonly name: string; readonly url: string };
    readonly 'x-guidance': string;
    [key: string]: unknown;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  [key: string]: unknown;
}

export interface ContractOperation {
  readonly operationId: string;
  readonly method: 'get';
  /** Path template, such as `/api/pages/{token}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Price of a call in USD as a decimal text, such as "0.05"; undefined when the operation is free. */
  readonly priceUsd: string | undefined;
  /** The operation as a tool for agents; undefined for what agents need not call, such as documents. */
  readonly tool: ContractTool | undefined;
  readonly parameters: readonly ContractParameter[];
  /** Declared replies: status -> media types with the JSON pointer of their schema inside the document. */
  readonly replies: ReadonlyMap<number, ReadonlyMap<string, string>>;
}

export interface ContractTool {
  /** Such as `hot_deals`. */
  readonly name: string;
  /** One sentence: what it is good for, without price and how to pay. */
  readonly description: string;
}

export interface ContractParameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  /** `array`: texts, separated by commas. */
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  readonly description: string;
  /** How a person writes it (`x-kind`), where type and values do not tell. */
  readonly kind?: string | undefined;
  /** The allowed values of it or of its items, if they are few. */
  readonly values?: readonly string[] | undefined;
  /** Both inclusive. */
  readonly bounds?: readonly [least: number, most: number] | undefined;
  readonly example?: string | undefined;
  /** It is left out of every address that the service writes. */
  readonly isPrivate: boolean;
  /** JSON pointer of the parameter's schema inside the document. */
  readonly pointer: string;
}

/**
 * The path of an operation as addresses have it: the braces of a template are percent-encoded, since an address may not
 * hold them. Such an address names the operation; whoever asks for it as it stands is told to put a value in.
 */
export function publicPath(template: string): string {
  return template.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

/** Whether an operation is of the data and their payments; the others are documents, pages and probes. */
export function isForData({ path }: ContractOperation): boolean {
  return path.startsWith('/api/');
}

/** The price of an operation for people: "$0.05" or "free". */
export function priceLabel(operation: ContractOperation): string {
  return operation.priceUsd === undefined ? 'free' : `$${operation.priceUsd}`;
}
