import { createHash } from 'node:crypto';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { Contract, ContractOperation } from './contract.js';
import { resolvePointer } from './read-operations.js';

/** Compiled checks against the contract. Each is compiled once, when it is first asked for. */
export interface Validators {
  /** A check of a value against the schema at a JSON pointer of the contract. */
  at<T>(pointer: string): Check<T>;
  /** A check of an operation's decoded parameters of one place; unknown names are faults. */
  parameters(operation: ContractOperation, place: 'query' | 'path'): Check<Record<string, unknown>>;
  /** Another text whenever a schema of the contract comes to mean something else. */
  readonly schemasDigest: string;
}

export interface Check<T> {
  (value: unknown): value is T;
  /** What was wrong with the last value that failed. */
  faults(): readonly ErrorObject[];
}

const validatorsOf = new WeakMap<Contract, Validators>();

/** Those of a contract, made once: what one caller had compiled serves the next. */
export function createValidators(contract: Contract): Validators {
  const validators = validatorsOf.get(contract) ?? compileSchemas(contract);
  validatorsOf.set(contract, validators);
  return validators;
}

/** Whether a pointer is to the schema of a media type that has none: any body fits. */
function isWithoutSchema({ document }: Contract, pointer: string): boolean {
  const [, mediaType = ''] = /^(.*\/content\/[^/]+)\/schema$/.exec(pointer) ?? [];
  return mediaType !== '' && !Object.hasOwn(Object(resolvePointer(document, mediaType)), 'schema');
}

/** Compiles the contract's schemas with Ajv for JSON Schema 2020-12 in strict mode, formats included. */
function compileSchemas(contract: Contract): Validators {
  // The absence clauses name members of a record without repeating its type: strictTypes would refuse them.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    // A union is told by one member: only the schema that it names is tried.
    discriminator: true,
    validateSchema: false,
    // Checks of optimized code are no faster, and making it takes a third of the time.
    code: { optimize: false },
    // A schema of up to six keywords, such as an amount, is checked in place; each other is a function of its own,
    // since one with all the parts of a record in it is too large for V8 to optimize.
    inlineRefs: 6,
  });
  // The package is CommonJS: its callable sits under `default` when it is imported from an ES module.
  addFormatsModule.default(ajv, ['date-time', 'date', 'uuid', 'uri', 'uri-reference']);
  ajv.addVocabulary(['components', 'example', 'x-summary']);
  const { components } = contract.document;
  // Ajv reads the values of the member from the schemas themselves.
  ajv.addSchema({ components: JSON.parse(JSON.stringify(components, withoutMapping)) as object }, contractId);
  const compiled = new Map<string, Check<unknown>>();

  function remember<T>(key: string, compile: () => ValidateFunction): Check<T> {
    let check = compiled.get(key);
    if (check === undefined) {
      check = asCheck(compile());
      compiled.set(key, check);
    }
    return check as Check<T>;
  }

  /** By its name, so that a schema is compiled once, however many others refer to it. */
  function compileAt(pointer: string): ValidateFunction {
    const validate = ajv.getSchema(contractId + pointer) ?? (isWithoutSchema(contract, pointer) && ajv.compile(true));
    if (validate === false) throw new Error(`The contract has no schema at ${pointer}`);
    return validate;
  }

  return {
    schemasDigest: createHash('sha256').update(JSON.stringify(components.schemas, withoutProse)).digest('base64'),
    at: <T>(pointer: string) => remember<T>(pointer, () => compileAt(pointer)),
    parameters: (operation, place) => {
      const parameters = operation.parameters.filter((parameter) => parameter.in === place);
      return remember(`${operation.operationId} ${place}`, () =>
        ajv.compile({
          type: 'object',
          additionalProperties: false,
          required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
          properties: Object.fromEntries(
            parameters.map((parameter) => [parameter.name, { $ref: contractId + parameter.pointer }]),
          ),
        }),
      );
    },
  };
}

/** A member that is named like this is a schema, not a text. */
const withoutProse = (key: string, value: unknown): unknown =>
  key === 'description' && typeof value === 'string' ? undefined : value;

const withoutMapping = (key: string, value: unknown): unknown =>
  key === 'discriminator' ? { propertyName: (value as { readonly propertyName: string }).propertyName } : value;

const contractId = 'contract';

function asCheck(validate: ValidateFunction): Check<unknown> {
  const check = (value: unknown): value is unknown => validate(value);
  return Object.assign(check, { faults: () => validate.errors ?? [] });
}
