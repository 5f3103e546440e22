import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { promisify } from 'node:util';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** A reply body as the ledger keeps it: brotli, quick, off the main thread. */
export async function packBody(body: Uint8Array): Promise<Buffer> {
  return compress(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

/** The reply body, byte for byte as it was sold. */
export async function unpackBody(packed: Uint8Array): Promise<Buffer> {
  return decompress(packed);
}
