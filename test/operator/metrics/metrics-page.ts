import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Metric, Registry } from 'prom-client';
import { findProjectFile } from '../../../src/project-file.js';
import { startWatchedApp } from '../watched-app.js';

export const metricsPage = 'docs/metrics.md';

/** What prom-client keeps of a metric, beyond its types. */
interface Described {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** The text of docs/metrics.md: each metric of a service, by its own help. */
export async function renderMetricsPage(): Promise<string> {
  const found: Described[] = [];
  const { registerMetric } = Registry.prototype;
  Registry.prototype.registerMetric = function (metric: Metric) {
    found.push(metric as unknown as Described);
    return registerMetric.call(this, metric);
  };
  try {
    await (await startWatchedApp({ withData: false })).stop();
  } finally {
    Registry.prototype.registerMetric = registerMetric;
  }
  const rows = found
    // Those of every Node.js process are described by prom-client.
    .filter(({ name }) => !/^deals_(nodejs|process)_/.test(name))
    .map(({ name, help, labelNames }) => `| \`${name}\` | ${labelNames.join(', ')} | ${help} |`)
    .sort();
  return `# Metrics

What \`/metrics\` of the operator's port has beside the figures of every Node.js process (\`deals_process_\`,
\`deals_nodejs_\`). Written by \`npm run metrics\` from the code; the values of labels are closed sets. \`_total\`
are counters of this instance, \`_seconds\` with buckets histograms. The alerts on them are in \`ops/alerts.yml\`.

| metric | labels | meaning |
|---|---|---|
${rows.join('\n')}
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(findProjectFile(metricsPage), await renderMetricsPage());
  process.exit();
}
