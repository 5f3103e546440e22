import type { App } from './app.js';

/** Tells a person what runs, what of it is demonstration, and what to try next. */
export function writeBanner(app: App, out: NodeJS.WritableStream): void {
  const { config, url, selling } = app;
  const { network, payTo } = selling.terms;
  const lines = [
    '',
    `  Multifamily Deals Feed ${app.contract.document.info.version} on ${url}`,
    `  Database: ${config.databaseUrl === undefined ? `embedded, in ${config.dataDirectory}` : 'PostgreSQL'}`,
    `  Payments: ${network.label} (${network.id}), to ${payTo}`,
  ];
  if (config.payment === undefined) {
    lines.push(
      '',
      '  THIS IS A DEMONSTRATION. Properties, owners and county records are fictional (HUD rents are real), the chain runs',
      '  on this machine, its token is worth nothing, and the keys of its accounts are public. The first data is there',
      '  within seconds.',
    );
  }
  const obstacle = selling.findObstacle();
  if (obstacle !== undefined) lines.push('', `  Nothing can be bought now: ${obstacle}`);
  lines.push(
    '',
    `  In a browser: ${url}/`,
    '',
    '  Try next:',
    `    curl ${url}/api/meta`,
    `    curl -i "${url}/api/deals?state=OH"`,
    '    npm run buy -- deals --state OH',
    '',
  );
  out.write(`${lines.join('\n')}\n`);
}
