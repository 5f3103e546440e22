import { existsSync } from 'node:fs';
import type { Context } from 'mocha';
import { chromium, type Browser } from 'playwright-core';
import { atEnd } from './at-end.js';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

let shared: Promise<Browser> | undefined;

/**
 * The real browser of this process. Each test closes its own pages. Skips the test with a message when none is
 * installed (Debian: the package chromium).
 */
export async function shareBrowser(test: Context): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_BIN ?? places.find((place) => existsSync(place));
  if (executablePath === undefined) {
    process.stderr.write("      SKIPPED: no Chromium here. Install Debian's package chromium, or set CHROMIUM_BIN.\n");
    test.skip();
  }
  shared ??= chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  return shared;
}

atEnd.push(async () => (await shared)?.close());
