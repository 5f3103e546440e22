/** The values that a type of the specification accepts. */
export interface FieldType {
  holds(value: unknown): boolean;
  /** Similar values that are not of the type. */
  readonly wrong: readonly unknown[];
}

/**
 * The type named by a cell such as "decimal string, USD".
 * @param allowed the values of an enumeration
 */
export function readFieldType(cell: string, allowed: readonly string[] = []): FieldType {
  const named = /\(([^)]*)\)/.exec(cell)?.[1]?.split(', ') ?? [];
  if (cell === 'enum') return enumeration(allowed);
  if (cell.startsWith('decimal string 0-1')) return withinUnit;
  if (cell.startsWith('decimal string')) return decimal;
  if (cell === 'integer 0-100') return percentage;
  if (cell.startsWith('integer')) return integer;
  if (cell === 'string, UUID') return uuid;
  if (cell.startsWith('string, URL')) return url;
  if (cell.startsWith('string (')) return enumeration(named);
  if (cell.startsWith('object')) return objectOf(named);
  const type = plainTypes[cell];
  if (type === undefined) throw new Error(`The specification names no type "${cell}".`);
  return type;
}

/** True for a plain decimal number: no exponent, no separator, no sign except a minus. */
export function isDecimalText(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const decimal: FieldType = { holds: isDecimalText, wrong: [9.2, 0, '9,2', '1e3', '0x10', '$5.00', 'NaN', '', ' 1.00'] };
const withinUnit: FieldType = {
  holds: (value) => isDecimalText(value) && Number(value) >= 0 && Number(value) <= 1,
  wrong: [...decimal.wrong, '1.01', '-0.01', '70.00'],
};
const integer: FieldType = { holds: Number.isInteger, wrong: ['3', 1.5, true, ''] };
const percentage: FieldType = {
  holds: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100,
  wrong: [...integer.wrong, -1, 101],
};
const uuid: FieldType = {
  holds: (value) => isText(value) && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  wrong: [1, '', '{id}', 'x'.repeat(36), '3f0f3c1e6d7b5a4e9d520c6b8b1f2a11'],
};
const url: FieldType = {
  holds: (value) => isText(value) && URL.canParse(value) && /^https?:\/\//.test(value),
  wrong: [1, '', 'listing 5', '/relative', 'javascript:alert(1)', 'https://'],
};

const plainTypes: Readonly<Record<string, FieldType>> = {
  string: { holds: isText, wrong: [5, '', true] },
  number: { holds: Number.isFinite, wrong: ['3', '', true] },
  boolean: { holds: (value) => typeof value === 'boolean', wrong: ['true', '', 1, 0] },
  array: { holds: Array.isArray, wrong: [{}, 'x', 1] },
  timestamp: {
    holds: (value) => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && isRealTime(value),
    wrong: [1_763_600_400_000, '', '2026-11-20', '2026-11-20T05:00:00Z', '2026-11-20T05:00:00.000+01:00'],
  },
  date: {
    holds: (value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value) && isRealTime(`${value}T00:00:00.000Z`),
    wrong: [20261120, '', '11/20/2026', '2026-02-30', '2026-11-20T00:00:00.000Z'],
  },
};

function enumeration(allowed: readonly string[]): FieldType {
  return {
    holds: (value) => isText(value) && allowed.includes(value),
    wrong: [1, '', 'no_such_value', ...allowed.map((each) => `${each} `)],
  };
}

function objectOf(members: readonly string[]): FieldType {
  const isObject = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return { holds: (value) => isObject(value) && members.every((name) => Object.hasOwn(value, name)), wrong: ['x', 1] };
}

function isRealTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
}
