import type { Caller } from '../wire/call.js';
import { labelOf } from './describe-purchase.js';
import type { Format } from './general-options.js';
import type { Wallet } from './open-caller.js';
import { renderBody } from './render-body.js';
import type { Surroundings } from './surroundings.js';

/** Prints the payer, its networks, the spent amounts and the open payments. Sends no request. */
export async function showWallet(
  { account, tokens }: Wallet,
  format: Format,
  caller: Caller,
  { out, width }: Surroundings,
): Promise<void> {
  const { lastHour, lastDay, open } = await caller.spending();
  const networks = tokens.map(({ id }) => id);
  if (format !== 'table') {
    out.write(renderBody({ address: account.address, networks, lastHour, lastDay, open }, format, width));
    return;
  }
  const lines = [
    `Address   ${account.address}`,
    `Networks  ${networks.map(labelOf).join(', ')}`,
    `Spent     $${lastHour} in the last hour, $${lastDay} in the last day`,
    ...(open.length === 0 ? ['Open      none'] : open.flatMap(describeOpen)),
  ];
  out.write(lines.map((line) => `${line}\n`).join(''));
}

type OpenPayment = Awaited<ReturnType<Caller['spending']>>['open'][number];

function describeOpen({ amount, url, paymentId, validBefore }: OpenPayment): string[] {
  return [
    `Open      $${amount} for ${url}, chargeable until ${validBefore.toISOString()}`,
    `          ${paymentId}`,
    '          The same command again presents it, and pays nothing twice.',
  ];
}
