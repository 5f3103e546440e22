/** An address and one that differs in one digit, letter or part, so that it is another property. */
export interface NearMiss {
  readonly a: string;
  readonly b: string;
  readonly mutation: string;
}

/** Returns a whole number from 0 below `limit`; one generator is one sequence. */
export type Draw = (limit: number) => number;

/** The same sequence for the same seed (mulberry32). */
export function createDraw(seed: number): Draw {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

interface Base {
  readonly number: string;
  /** The name with `{d}` for the road's designation, the ordinal or the letter. */
  readonly street: string;
  readonly designation: string;
  readonly behind: string;
  readonly place: readonly [city: string, state: string, zip: string];
}

const places: readonly Base['place'][] = [
  ['Mason', 'OH', '45040'],
  ['Paris', 'TX', '75462'],
  ['Ames', 'IA', '50010'],
  ['Kokomo', 'IN', '46901'],
  ['Rolla', 'MO', '65401'],
  ['Waukesha', 'WI', '53188'],
  ['Utica', 'NY', '13501'],
  ['Ocala', 'FL', '34470'],
  ['Fargo', 'ND', '58102'],
  ['San Juan', 'PR', '00926'],
];

const names: Readonly<Record<string, string>> = {
  OH: 'Ohio',
  TX: 'Texas',
  IA: 'Iowa',
  IN: 'Indiana',
  MO: 'Missouri',
  WI: 'Wisconsin',
  NY: 'New York',
  FL: 'Florida',
  ND: 'North Dakota',
  PR: 'Puerto Rico',
};

/** `{s}` is the state's name, `{c}` its code. */
const numberedRoads = [
  '{s} Highway {d}',
  '{c} Hwy {d}',
  'State Route {d}',
  'US Highway {d}',
  'County Road {d}',
  'Private Road {d}',
  'Range Road {d}',
  'Town Road {d}',
  'Farm Road {d}',
  'Business Highway {d}',
  'Camp Road {d}',
  'Old Highway {d}',
];
const ordinaryStreets = ['Main St', 'E Oak Ave', 'Dixie Hwy', 'Kinsman Rd', 'W Elm Ct', 'Broadway'];
const letteredRoads = ['Route {d}', 'County Highway {d}', 'State Highway {d}', 'Highway {d}', 'Avenue {d}', '{d} St'];

/** Six of each state, so that every type of street occurs. */
function createBases(draw: Draw): Base[] {
  const digits = (): string => String(12 + draw(900));
  const pick = <T>(all: readonly T[]): T => all[draw(all.length)] as T; // never empty
  const bases = places.flatMap((place, index): Base[] => {
    const [, state] = place;
    const road = (at: number): string =>
      (numberedRoads[(index + at) % numberedRoads.length] ?? '')
        .replace('{s}', names[state] ?? '')
        .replace('{c}', state);
    const number = String(1000 + draw(8000));
    const base = (street: string, designation = '', behind = '', own = number): Base => ({
      number: own,
      street,
      designation,
      behind,
      place,
    });
    const odd = draw(100) * 2 + 1001;
    return [
      base(ordinaryStreets[index % ordinaryStreets.length] ?? ''),
      base('E {d} St', `${String(4 + draw(5))}${String(4 + draw(6))}th`),
      base(road(0), digits()),
      base(road(5), digits()),
      base(pick(letteredRoads), 'ABCDFGHJKM'.charAt(index)),
      [
        base('Bluemound Rd', '', '', `N${String(10 + draw(80))}W${String(23001 + draw(900))}`),
        base('Elm St', '', '', `${String(odd)}-${String(odd + 4)}`),
        base('Calle {d}', 'ABCDFGHJKM'.charAt(index), ', Urb Las Gladiolas'),
      ][index % 3] as Base, // one of three
    ];
  });
  return bases;
}

const write = ({ number, street, designation, behind, place: [city, state, zip] }: Base): string =>
  `${number} ${street.replace('{d}', designation)}${behind}, ${city}, ${state} ${zip}`;

type Mutation = (base: Base, draw: Draw) => Base | undefined;

const onDigits =
  (part: 'number' | 'designation', change: (digits: string, draw: Draw) => string | undefined): Mutation =>
  (base, draw) => {
    const changed = base[part].replace(/\d+(?!.*\d)/, (digits) => change(digits, draw) ?? digits);
    return changed === base[part] ? undefined : { ...base, [part]: changed };
  };

const dropDigit = (digits: string, draw: Draw): string | undefined => {
  const at = draw(digits.length);
  return digits.length < 2 ? undefined : digits.slice(0, at) + digits.slice(at + 1);
};

const swapDigits = (digits: string, draw: Draw): string | undefined => {
  const at = draw(digits.length - 1);
  return digits.length < 2
    ? undefined
    : `${digits.slice(0, at)}${digits.charAt(at + 1)}${digits.charAt(at)}${digits.slice(at + 2)}`;
};

const nextLetter = (letter: string): string => (letter === 'Z' ? 'A' : String.fromCharCode(letter.charCodeAt(0) + 1));

const mutations: Readonly<Record<string, Mutation>> = {
  'designation + 1': onDigits('designation', (digits) => String(Number(digits) + 1)),
  'digit of the designation dropped': onDigits('designation', dropDigit),
  'digit of the designation appended': onDigits('designation', (digits, draw) => `${digits}${String(draw(10))}`),
  'digits of the designation swapped': onDigits('designation', swapDigits),
  'letter of the designation changed': (base) =>
    /^[A-Z]$/.test(base.designation) ? { ...base, designation: nextLetter(base.designation) } : undefined,
  'letter appended to the designation': (base) =>
    base.designation === '' || /\D\D/.test(base.designation)
      ? undefined
      : { ...base, designation: `${base.designation}${/\d/.test(base.designation) ? 'B' : base.designation}` },
  'letter of the designation dropped': (base) =>
    /^[A-Z]$/.test(base.designation) ? { ...base, designation: '' } : undefined,
  'house number + 2': onDigits('number', (digits) => String(Number(digits) + 2)),
  'house number + 100': onDigits('number', (digits) => String(Number(digits) + 100)),
  'digit of the house number dropped': onDigits('number', dropDigit),
  'urbanization changed': (base) =>
    base.behind.includes('Urb') ? { ...base, behind: ', Urb Royal Oak' } : { ...base, behind: ', Urb Las Gladiolas' },
  'lot changed': (base) => ({ ...base, behind: `${base.behind}, Lot 5` }),
  'section added': (base) => ({ ...base, behind: `${base.behind}, Section 2` }),
  'tract added': (base) => ({ ...base, behind: `${base.behind}, Tract B` }),
  'second street appended': (base) => ({ ...base, behind: `; 3100 Oak St${base.behind}` }),
  'second street appended with &': (base) => ({ ...base, behind: ` & 3100 Oak St${base.behind}` }),
  'directional changed': (base) =>
    /^[EW] /.test(base.street)
      ? { ...base, street: (base.street.startsWith('E') ? 'W' : 'E') + base.street.slice(1) }
      : { ...base, street: `E ${base.street}` },
  'last digit of the ZIP changed': (base) => {
    const [city, state, zip] = base.place;
    return { ...base, place: [city, state, `${zip.slice(0, 4)}${String((Number(zip[4]) + 1) % 10)}`] };
  },
  'unit text without a designator': (base, draw) => ({ ...base, behind: ` ${String(2 + draw(40))}${base.behind}` }),
  'unit letter without a designator': (base) => ({ ...base, behind: ` B${base.behind}` }),
};

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** `count` pairs that differ in one character of number or street: changed, dropped, or added. */
export function createSlips(seed: number, count: number): NearMiss[] {
  const draw = createDraw(seed);
  return Array.from({ length: count }, () => {
    const base = createBases(draw)[draw(60)] as Base; // one of sixty
    const line = `${base.number} ${base.street.replace('{d}', base.designation)}`;
    const at = [...line].flatMap((letter, index) => (/[a-z0-9]/i.test(letter) ? [index] : []));
    const index = at[draw(at.length)] ?? 0;
    const other = /\d/.test(line.charAt(index)) ? String(draw(10)) : alphabet.charAt(draw(26));
    const how = ['changed', 'dropped', 'added'][draw(3)] ?? '';
    const [kept, put] = [how === 'added' ? line.charAt(index) : '', how === 'dropped' ? '' : other];
    const slip = { ...base, number: '', street: `${line.slice(0, index)}${kept}${put}${line.slice(index + 1)}` };
    return { a: write(base), b: write(slip).trim(), mutation: `character of house number or street ${how}` };
  });
}

/**
 * Pairs of a base with each of its mutations. Sixty bases: ten states, all types of numbered and lettered roads, grid
 * numbers, ranges.
 */
export function createNearMisses(seed: number): NearMiss[] {
  const draw = createDraw(seed);
  return createBases(draw).flatMap((base) =>
    Object.entries(mutations).flatMap(([mutation, mutate]) => {
      const other = mutate(base, draw);
      return other === undefined ? [] : [{ a: write(base), b: write(other), mutation }];
    }),
  );
}
