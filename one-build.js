import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Builds while no other process does, and waits for one that does: then there is nothing left to build. A process that
 * died while it built holds nobody up.
 */
export async function buildAlone(build, lock = 'dist/building') {
  mkdirSync(dirname(lock), { recursive: true });
  while (!take(lock)) {
    if (isAlive(holderOf(lock))) await delay(50);
    else rmSync(lock, { force: true });
  }
  try {
    return await build();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock) {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Undefined where it was let go meanwhile, or is being taken. */
function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    return pid === undefined || process.kill(pid, 0);
  } catch {
    return false;
  }
}
