import { rename, writeFile } from 'node:fs/promises';

/** Writes a file under a temporary name and renames it, so that no reader sees a part of it. */
export async function writeInPlace(path: string, content: string | Buffer): Promise<void> {
  await writeFile(`${path}.part`, content);
  await rename(`${path}.part`, path);
}
