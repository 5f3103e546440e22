import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { findProjectFile } from '../../src/project-file.js';

const axe = readFileSync(findProjectFile('node_modules/axe-core/axe.min.js'), 'utf8');

/** The axe violations of a page, by WCAG 2.2 AA and axe's best practices, each with its element. */
export async function findViolations(page: Page): Promise<string[]> {
  // Evaluated, not inserted, because the page's policy forbids inline scripts.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    type Result = { id: string; help: string; nodes: { html: string; any: { message: string }[] }[] };
    const runner = (window as unknown as { axe: { run(options: object): Promise<{ violations: Result[] }> } }).axe;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await runner.run({ runOnly: { type: 'tag', values: tags } });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 150)} (${any[0]?.message ?? ''})`),
    );
  });
}
