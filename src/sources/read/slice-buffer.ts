/** Collects the bytes of one row up to a limit; past it the bytes are only counted, so that memory stays bounded. */
export interface SliceBuffer {
  add(part: Buffer): void;
  /** Hands over what was collected and starts anew; undefined bytes: the row was larger than the limit. */
  take(): { readonly bytes: Buffer | undefined; readonly length: number };
}

/** Creates an empty buffer for rows of at most `limitBytes`. */
export function createSliceBuffer(limitBytes: number): SliceBuffer {
  let parts: Buffer[] = [];
  let length = 0;
  return {
    add(part) {
      length += part.length;
      if (length > limitBytes) parts = [];
      else parts.push(part);
    },
    take() {
      const taken = { bytes: length > limitBytes ? undefined : Buffer.concat(parts), length };
      parts = [];
      length = 0;
      return taken;
    },
  };
}
