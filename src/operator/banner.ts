/** The facts of a running service for its banner. */
export interface Running {
  readonly version: string;
  readonly url: string;
  /** The embedded database's directory; undefined with PostgreSQL. */
  readonly dataDirectory: string | undefined;
  /** Network and address that receive payments. */
  readonly payments: string;
  readonly demonstration: boolean;
  /** Why sales are impossible now; undefined when they are possible. */
  readonly obstacle: string | undefined;
}

/** What the server says of itself where words follow its name. */
export const help = `The server takes no words: its settings are variables, in the environment or in .env.

  npm start                 serve; without settings a demonstration, on http://127.0.0.1:4021
  npm run cli -- doctor     what is wrong with the settings, each with its cure
  npm run cli -- help       what an operator can do
  npm run buy -- --help     what a buyer can do

docs/operating.md says how to run it for money, docs/settings.md what can be set.
`;

/** Prints what runs, and what is only a demonstration. */
export function writeBanner(running: Running, out: NodeJS.WritableStream): void {
  const { version, url, dataDirectory, payments, demonstration, obstacle } = running;
  const lines = [
    '',
    `  Multifamily Deals Feed ${version} on ${url}`,
    `  Database: ${dataDirectory === undefined ? 'PostgreSQL' : `embedded, in ${dataDirectory}`}`,
    `  Payments: ${payments}`,
  ];
  if (demonstration) {
    lines.push(
      '',
      '  THIS IS A DEMONSTRATION. Properties, owners and county records are fictional (HUD rents are real), the chain runs',
      '  on this machine, its token is worth nothing, and the keys of its accounts are public. The first data is there',
      '  within seconds.',
    );
  }
  if (obstacle !== undefined) lines.push('', `  Nothing can be bought now: ${obstacle}`);
  lines.push('', `  In a browser: ${url}/`, '');
  out.write(`${lines.join('\n')}\n`);
}

/** Prints that deals are on sale, and a command to copy: in the demonstration it buys, else it asks for the price. */
export function writeReady({ version, url, demonstration }: Running, out: NodeJS.WritableStream): void {
  const server = url === 'http://127.0.0.1:4021' ? '' : `BASE_URL=${url} `;
  const command = demonstration ? `${server}npm run buy -- deals --state OH` : `curl -i "${url}/api/deals?state=OH"`;
  out.write(`  Ready to sell: Multifamily Deals Feed ${version} on ${url}. Try it:\n    ${command}\n\n`);
}
