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

/** Prints what runs, what is only a demonstration, and what to try next. */
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
