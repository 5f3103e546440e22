import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { metros } from '../../src/places/metros/metros.js';
import { coverageMap } from '../../src/pages/home/coverage-map.js';
import { findAsset } from '../../src/pages/page-assets.js';
import { shareBrowser } from '../support/browser.js';

describe('the coverage map in a browser', () => {
  let browser: Browser;
  let page: Page;
  before(async function () {
    browser = await shareBrowser(this as never);
  });
  afterEach(() => page?.close());

  for (const width of [700, 1100, 1600])
    it(`prints no name over another one, nor over another metro's dot, at any dot size: ${width} px`, async () => {
      page = await browser.newPage({ viewport: { width, height: 800 } });
      const style = findAsset('home.css')?.text ?? '';
      const map = coverageMap(new Map(metros.map(({ countyFips }) => [countyFips, 20])));
      await page.setContent(`<!doctype html><style>${style}</style><main>${map.text}</main>`);
      const names = await boxesOf(page, '.labels text');
      // A line has space above and below its letters.
      const letters = names.map((box) => ({ ...box, top: box.top + 4, bottom: box.bottom - 4 }));
      const others = [...letters, ...(await boxesOf(page, '.dot'))];
      const collisions = letters.flatMap((box) =>
        others
          .filter((other) => other.name !== box.name)
          .filter(({ left, right }) => left < box.right && right > box.left)
          .filter(({ top, bottom }) => top < box.bottom && bottom > box.top)
          .map((other) => `${box.name} / ${other.name}`),
      );
      assert.ok(names.length > 20);
      assert.deepEqual(collisions, []);
    });
});

function boxesOf(page: Page, selector: string) {
  return page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { name: (element.textContent ?? '').split(',')[0] ?? '', left, right, top, bottom };
    }),
  );
}
