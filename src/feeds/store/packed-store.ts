import type { Identified } from '../query/identified.js';
import type { FeedOrder } from '../query/feed-order.js';
import type { Packed, Packing } from '../query/packing.js';
import type { RecordStore } from './record-store.js';

const bytesOf: Readonly<Record<Packed, number>> = { number: 8, whole: 4, date: 8, text: 4, flag: 1 };
/** Stands for no whole number. */
const none = -(2 ** 31);
const idBytes = 16;
const rowsPerSlab = 2 ** 12;

/**
 * Keeps records whose ids are UUIDs as bytes, some forty for each: a million objects would hold several times as much,
 * and the collector would stop everything else to look through them. What `at` gives reads each column when it is asked
 * for.
 */
export function createPackedStore<Rank extends Identified, Columns extends Rank>(
  packing: Packing<Columns>,
  order: FeedOrder<Rank>,
): RecordStore<Columns> {
  const fields = layOut(packing);
  const rowBytes = fields.reduce((sum, { packed }) => sum + bytesOf[packed], idBytes);
  const texts = createTextCodes();
  const slabs: DataView[] = [];
  let size = 0;

  const slabOf = (row: number): DataView => slabs[Math.floor(row / rowsPerSlab)] as DataView;
  const startOf = (row: number): number => (row % rowsPerSlab) * rowBytes;

  /** A function of its own for each kind: filters read some columns of every row. */
  const readers: Readonly<Record<Packed, (offset: number) => ReadField>> = {
    text: (offset) => (slab, start) => texts.textOf(slab.getUint32(start + offset)),
    flag: (offset) => (slab, start) => slab.getUint8(start + offset) === 1,
    whole: (offset) => (slab, start) => {
      const number = slab.getInt32(start + offset);
      return number === none ? undefined : number;
    },
    number: (offset) => (slab, start) => {
      const number = slab.getFloat64(start + offset);
      return Number.isNaN(number) ? undefined : number;
    },
    date: (offset) => (slab, start) => {
      const ms = slab.getFloat64(start + offset);
      return Number.isNaN(ms) ? undefined : new Date(ms);
    },
  };

  const ranks = order.map(({ by, descending }) => {
    const field = fields.find(({ column }) => column === by);
    if (field === undefined) throw new Error(`No packing is declared for ${by}.`);
    return { read: readers[field.packed](field.offset), isDescending: descending === true };
  });

  function write({ packed, offset }: Field, slab: DataView, start: number, value: unknown): void {
    if (packed === 'text') slab.setUint32(start + offset, texts.codeOf(value as string | undefined));
    else if (packed === 'whole') slab.setInt32(start + offset, wholeOf(value as number | undefined));
    else if (packed === 'flag') slab.setUint8(start + offset, value === true ? 1 : 0);
    else slab.setFloat64(start + offset, Number(value ?? NaN));
  }

  function compareIds(one: number, other: number): number {
    const [slab, start, otherSlab, otherStart] = [slabOf(one), startOf(one), slabOf(other), startOf(other)];
    for (let word = 0; word < idBytes; word += 4) {
      const difference = slab.getUint32(start + word) - otherSlab.getUint32(otherStart + word);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  const PackedRecord = createRecordClass(fields, ({ packed, offset }) => readers[packed](offset));
  return {
    get size() {
      return size;
    },
    add(record) {
      if (size === slabs.length * rowsPerSlab) slabs.push(new DataView(new ArrayBuffer(rowsPerSlab * rowBytes)));
      const [slab, start] = [slabOf(size), startOf(size)];
      writeId(slab, start, record.id);
      for (const field of fields) write(field, slab, start, record[field.column as keyof typeof record]);
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
      const slab = slabs[Math.floor(row / rowsPerSlab)] as DataView;
      return new PackedRecord(slab, (row % rowsPerSlab) * rowBytes) as Identified as Columns;
    },
    compare(one, other) {
      for (const { read, isDescending } of ranks) {
        const value = read(slabOf(one), startOf(one)) ?? 0;
        const otherValue = read(slabOf(other), startOf(other)) ?? 0;
        if (value !== otherValue) return value < otherValue === isDescending ? 1 : -1;
      }
      return compareIds(one, other);
    },
    idHash: (row) => slabOf(row).getUint32(startOf(row)),
    hasSameId: (one, other) => compareIds(one, other) === 0,
  };
}

type Value = number | string | boolean | Date | undefined;
type ReadField = (slab: DataView, start: number) => Value;

interface Field {
  readonly column: string;
  readonly packed: Packed;
  /** Within its row. */
  readonly offset: number;
}

function layOut(packing: Readonly<Record<string, Packed>>): readonly Field[] {
  let end = idBytes;
  return Object.entries(packing).map(([column, packed]) => {
    const offset = end;
    end += bytesOf[packed];
    return { column, packed, offset };
  });
}

function createRecordClass(fields: readonly Field[], readerOf: (field: Field) => ReadField) {
  class PackedRecord implements Identified {
    constructor(
      readonly slab: DataView,
      readonly start: number,
    ) {}

    /** Written digit by digit into one place, as a text of its own: one that is joined of parts keeps all of them. */
    get id(): string {
      let place = 0;
      for (let index = 0; index < idBytes; index++) {
        if (index === 4 || index === 6 || index === 8 || index === 10) place++;
        const byte = this.slab.getUint8(this.start + index);
        written[place++] = digits[byte >>> 4] ?? 0;
        written[place++] = digits[byte & 15] ?? 0;
      }
      return written.toString('latin1');
    }
  }
  for (const field of fields) {
    const read = readerOf(field);
    Object.defineProperty(PackedRecord.prototype, field.column, {
      get(this: PackedRecord) {
        return read(this.slab, this.start);
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
