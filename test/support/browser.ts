import { existsSync } from 'node:fs';
import type { Context } from 'mocha';
import { chromium, type Browser } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A real browser. Skips the test with a message when none is installed (Debian: the package chromium). */
export async function openBrowser(test: Context): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_BIN ?? places.find((place) => existsSync(place));
  if (executablePath === undefined) {
    process.stderr.write("      SKIPPED: no Chromium here. Install Debian's package chromium, or set CHROMIUM_BIN.\n");
    test.skip();
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}
