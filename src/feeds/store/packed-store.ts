import type { Identified } from '../query/identified.js';
import type { Bounds, RecordTest } from '../query/feed-kind.js';
import type { FeedOrder } from '../query/feed-order.js';
import type { Packed, Packing } from '../query/packing.js';
import type { RecordStore } from './record-store.js';

const bytesOf: Readonly<Record<Packed, number>> = { number: 8, whole: 4, date: 8, text: 4, flag: 1 };
/** Stands for no whole number. */
const none = -(2 ** 31);
const idBytes = 16;
const rowsPerSlab = 2 ** 12;

/** Records whose columns can be read by themselves. */
export interface PackedStore<Columns extends Identified> extends RecordStore<Columns> {
  /** Clears in `kept` each row whose column fails; the first of `kept` is row `first`. Each text is tested once. */
  keepWhere(kept: Uint8Array, first: number, column: string, test: Pick<RecordTest, 'passes' | 'bounds'>): void;
}

/**
 * Keeps records whose ids are UUIDs as bytes, some forty for each: a million objects would hold several times as much,
 * and the collector would stop everything else to look through them. What `at` gives reads each column when it is asked
 * for.
 */
export function createPackedStore<Rank extends Identified, Columns extends Rank>(
  packing: Packing<Columns>,
  order: FeedOrder<Rank>,
): PackedStore<Columns> {
  const fields = layOut(packing);
  const rowBytes = fields.reduce((sum, { packed }) => sum + bytesOf[packed], idBytes);
  const texts = createTextCodes();
  const slabs: DataView[] = [];
  let size = 0;

  const slabOf = (row: number): DataView => slabs[Math.floor(row / rowsPerSlab)] as DataView;
  const placeOf = (row: number): number => row % rowsPerSlab;

  /** A function of its own for each kind: filters read some columns of every row. */
  const readers: Readonly<Record<Packed, (base: number) => ReadField>> = {
    text: (base) => (slab, place) => texts.textOf(slab.getUint32(base + 4 * place)),
    flag: (base) => (slab, place) => slab.getUint8(base + place) === 1,
    whole: (base) => (slab, place) => {
      const number = slab.getInt32(base + 4 * place);
      return number === none ? undefined : number;
    },
    number: (base) => (slab, place) => {
      const number = slab.getFloat64(base + 8 * place);
      return Number.isNaN(number) ? undefined : number;
    },
    date: (base) => (slab, place) => {
      const ms = slab.getFloat64(base + 8 * place);
      return Number.isNaN(ms) ? undefined : new Date(ms);
    },
  };

  const ranks = order.map(({ by, descending }) => {
    const field = fields.find(({ column }) => column === by);
    if (field === undefined) throw new Error(`No packing is declared for ${by}.`);
    return { read: readers[field.packed](field.base), isDescending: descending === true };
  });

  function write({ packed, base }: Field, slab: DataView, place: number, value: unknown): void {
    const at = base + bytesOf[packed] * place;
    if (packed === 'text') slab.setUint32(at, texts.codeOf(value as string | undefined));
    else if (packed === 'whole') slab.setInt32(at, wholeOf(value as number | undefined));
    else if (packed === 'flag') slab.setUint8(at, value === true ? 1 : 0);
    else slab.setFloat64(at, Number(value ?? NaN));
  }

  function compareIds(one: number, other: number): number {
    const [slab, start] = [slabOf(one), idBytes * placeOf(one)];
    const [otherSlab, otherStart] = [slabOf(other), idBytes * placeOf(other)];
    for (let word = 0; word < idBytes; word += 4) {
      const difference = slab.getUint32(start + word) - otherSlab.getUint32(otherStart + word);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  const PackedRecord = createRecordClass(fields, ({ packed, base }) => readers[packed](base));
  return {
    get size() {
      return size;
    },
    add(record) {
      if (size === slabs.length * rowsPerSlab) slabs.push(new DataView(new ArrayBuffer(rowsPerSlab * rowBytes)));
      const [slab, place] = [slabOf(size), placeOf(size)];
      writeId(slab, idBytes * place, record.id);
      for (const field of fields) write(field, slab, place, record[field.column as keyof typeof record]);
      return size++;
    },
    mark() {
      const before = size;
      const cutTexts = texts.mark();
      return () => {
        size = before;
        slabs.length = Math.ceil(size / rowsPerSlab);
        cutTexts();
      };
    },
    at(row) {
      // Each sale comes here: without calls.
      const slab = slabs[Math.floor(row / rowsPerSlab)] as DataView;
      return new PackedRecord(slab, row % rowsPerSlab) as Identified as Columns;
    },
    compare(one, other) {
      for (const { read, isDescending } of ranks) {
        const value = read(slabOf(one), placeOf(one)) ?? 0;
        const otherValue = read(slabOf(other), placeOf(other)) ?? 0;
        if (value !== otherValue) return value < otherValue === isDescending ? 1 : -1;
      }
      return compareIds(one, other);
    },
    keepWhere(kept, first, column, { passes, bounds }) {
      const field = fields.find((each) => each.column === column);
      if (field === undefined) return void (passes(undefined) || kept.fill(0));
      const { packed, base } = field;
      const [read, verdicts] = [readers[packed](base), new Uint8Array(texts.count())];
      for (let index = 0; index < kept.length;) {
        const [slab, place] = [slabOf(first + index), placeOf(first + index)];
        const part = kept.subarray(index, index + rowsPerSlab - place);
        if (packed === 'text') keepTexts(part, slab, base + 4 * place, verdicts, (code) => passes(texts.textOf(code)));
        else if (packed === 'whole' && bounds !== undefined) keepWhole(part, slab, base + 4 * place, bounds);
        else if (packed === 'number' && bounds !== undefined) keepNumbers(part, slab, base + 8 * place, bounds);
        if (packed !== 'text' && bounds?.decide !== true) keepOthers(part, slab, place, read, passes);
        index += part.length;
      }
    },
    idHash: (row) => slabOf(row).getUint32(idBytes * placeOf(row)),
    hasSameId: (one, other) => compareIds(one, other) === 0,
  };
}

type Value = number | string | boolean | Date | undefined;
type ReadField = (slab: DataView, place: number) => Value;

/** `verdicts`, by code: 0 not known yet, 1 passes, 2 does not. */
function keepTexts(
  kept: Uint8Array,
  slab: DataView,
  start: number,
  verdicts: Uint8Array,
  passes: (code: number) => boolean,
): void {
  for (let index = 0; index < kept.length; index++) {
    if (kept[index] === 0) continue;
    const code = slab.getUint32(start + 4 * index);
    let verdict = verdicts[code] ?? 0;
    if (verdict === 0) verdicts[code] = verdict = passes(code) ? 1 : 2;
    if (verdict === 2) kept[index] = 0;
  }
}

function keepWhole(kept: Uint8Array, slab: DataView, start: number, { least, most }: Bounds): void {
  const low = Math.max(least, none + 1);
  for (let index = 0; index < kept.length; index++) {
    if (kept[index] === 0) continue;
    const number = slab.getInt32(start + 4 * index);
    if (number < low || number > most) kept[index] = 0;
  }
}

function keepNumbers(kept: Uint8Array, slab: DataView, start: number, { least, most }: Bounds): void {
  for (let index = 0; index < kept.length; index++) {
    if (kept[index] === 0) continue;
    const number = slab.getFloat64(start + 8 * index);
    // No number is not within.
    if (!(number >= least && number <= most)) kept[index] = 0;
  }
}

function keepOthers(
  kept: Uint8Array,
  slab: DataView,
  place: number,
  read: ReadField,
  passes: (cell: unknown) => boolean,
): void {
  for (let index = 0; index < kept.length; index++)
    if (kept[index] === 1 && !passes(read(slab, place + index))) kept[index] = 0;
}

interface Field {
  readonly column: string;
  readonly packed: Packed;
  /** Where it begins in a slab, which has the values of one column side by side: most is read of all records. */
  readonly base: number;
}

function layOut(packing: Readonly<Record<string, Packed>>): readonly Field[] {
  let end = idBytes;
  return Object.entries(packing).map(([column, packed]) => {
    const base = end * rowsPerSlab;
    end += bytesOf[packed];
    return { column, packed, base };
  });
}

function createRecordClass(fields: readonly Field[], readerOf: (field: Field) => ReadField) {
  class PackedRecord implements Identified {
    constructor(
      readonly slab: DataView,
      readonly place: number,
    ) {}

    /** Written digit by digit into one place, as a text of its own: one that is joined of parts keeps all of them. */
    get id(): string {
      let end = 0;
      for (let index = 0; index < idBytes; index++) {
        if (index === 4 || index === 6 || index === 8 || index === 10) end++;
        const byte = this.slab.getUint8(idBytes * this.place + index);
        written[end++] = digits[byte >>> 4] ?? 0;
        written[end++] = digits[byte & 15] ?? 0;
      }
      return written.toString('latin1');
    }
  }
  for (const field of fields) {
    const read = readerOf(field);
    Object.defineProperty(PackedRecord.prototype, field.column, {
      get(this: PackedRecord) {
        return read(this.slab, this.place);
      },
    });
  }
  return PackedRecord;
}

function wholeOf(value: number | undefined): number {
  return value === undefined ? none : Math.max(none + 1, Math.min(2 ** 31 - 1, value));
}

/** Numbers texts as they come. */
function createTextCodes() {
  const texts: (string | undefined)[] = [undefined];
  const codes = new Map<string | undefined, number>([[undefined, 0]]);
  return {
    textOf: (code: number): string | undefined => texts[code],
    count: () => texts.length,
    codeOf(text: string | undefined): number {
      let code = codes.get(text);
      if (code === undefined) {
        code = texts.push(text) - 1;
        codes.set(text, code);
      }
      return code;
    },
    /** As `mark` of the store. */
    mark() {
      const { length } = texts;
      return () => {
        for (const text of texts.splice(length)) codes.delete(text);
      };
    },
  };
}

function writeId(slab: DataView, start: number, id: string): void {
  const hex = id.replaceAll('-', '');
  for (let word = 0; word < 4; word++)
    slab.setUint32(start + word * 4, Number.parseInt(hex.slice(word * 8, word * 8 + 8), 16));
}

const digits = Buffer.from('0123456789abcdef');
/** A UUID: its digits are written between the dashes. */
const written = Buffer.alloc(36, '-');
