import { readBuyerEnvironment, type Buyer, UsageError } from '../buyer-environment.js';
import { PurchaseError } from '../payments/purchase-error.js';
import { describeError, exitCodeOf, exitCodes, type ExitCode } from './describe-error.js';
import { get } from './get.js';
import { openCaller, openWallet, type Wallet } from './open-caller.js';
import { renderCompletion } from './completion.js';
import { createReader } from './normalize.js';
import { parseCommand, type Command } from './parse-command.js';
import { renderPrices } from './render-answer.js';
import { renderHelp } from './render-help.js';
import { readBalances, type Balance } from './read-balances.js';
import type { Surroundings } from './surroundings.js';
import { versions } from '../../../generated/manual.gen.js';
import type { Meta } from '../../../generated/types.gen.js';
import type { Caller } from '../create-caller.js';
import { operationPaths } from '../wire/operation-paths.js';
import { readData } from '../wire/read-answer.js';
import type { Format } from './verbs.js';
import { renderBody } from './render-body.js';
import { labelOf } from './describe-purchase.js';

/**
 * Runs the command and returns its exit code. Reports every PurchaseError and UsageError as text instead of throwing.
 */
export async function runCommand(args: readonly string[], given: Surroundings): Promise<ExitCode> {
  const surroundings = { ...given, isColored: given.isColored && !args.includes('--no-color') };
  const { out, notes, environment, signal } = surroundings;
  let [baseUrl, path] = ['', ''];
  try {
    const command = parseCommand(args, await createReader(surroundings));
    if (command.do === 'help' || command.do === 'completion' || command.do === 'version') {
      out.write(explainItself(command, out));
      return exitCodes.done;
    }
    const origin = command.do === 'get' ? command.origin : undefined;
    const buyer = readBuyerEnvironment({ ...environment, ...(origin !== undefined && { BASE_URL: origin }) });
    ({ baseUrl } = buyer);
    if (command.do === 'get') ({ path } = command);
    await run(command, buyer, surroundings);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof UsageError) {
      notes.write(`${error.message}\n--help says more.\n`);
      return exitCodes.usage;
    }
    if (!(error instanceof PurchaseError)) throw error;
    if (signal?.aborted === true) return exitCodes.done; // the output has no reader, so a message is useless
    notes.write(describeError(error, baseUrl, path));
    return exitCodeOf(error);
  }
}

/** What needs no server: the help, the versions, and the completion of a shell. */
function explainItself(command: Exclude<Command, ServerCommand>, out: Surroundings['out']): string {
  if (command.do === 'completion') return renderCompletion(command.shell);
  if (command.do === 'help') return renderHelp(command.verb);
  const format = command.format ?? (out.isTTY === true ? 'table' : 'json');
  if (format !== 'table') return renderBody(versions, format, Infinity);
  return `deals-feed ${versions.client}, contract ${versions.contract}\n`;
}

type ServerCommand = Extract<Command, { do: 'get' | 'prices' | 'wallet' }>;

async function run(
  command: ServerCommand,
  { baseUrl, privateKey, rpcUrl }: Buyer,
  surroundings: Surroundings,
): Promise<void> {
  const wallet = openWallet(privateKey);
  const caller = openCaller(baseUrl, wallet, rpcUrl, surroundings);
  const format = command.format ?? (surroundings.out.isTTY === true ? 'table' : 'json');
  switch (command.do) {
    case 'get':
      return get(command, format, caller, surroundings);
    case 'prices':
      return showPrices(format, caller, surroundings);
    case 'wallet':
      return showWallet(
        wallet,
        await readBalances(wallet.account.address, wallet.tokens, rpcUrl),
        format,
        caller,
        surroundings,
      );
  }
}

/** Prints the server's price list, free. @throws PurchaseError */
async function showPrices(format: Format, caller: Caller, { out, width }: Surroundings): Promise<void> {
  const { reply } = await caller.get(operationPaths.getMeta);
  const { pricing } = readData(reply) as Meta; // typed by the contract
  out.write(format === 'table' ? renderPrices(pricing, { width }) : renderBody(pricing, format, width));
}

/** Prints the payer, its networks and balances, the spent amounts and the open payments. */
async function showWallet(
  { account, tokens }: Wallet,
  balances: readonly Balance[],
  format: Format,
  caller: Caller,
  { out, width }: Surroundings,
): Promise<void> {
  const { open, ...spent } = await caller.spending();
  const networks = tokens.map(({ id }) => id);
  if (format !== 'table') {
    out.write(renderBody({ address: account.address, networks, balances, ...spent, open }, format, width));
    return;
  }
  const lines = [
    `Address   ${account.address}`,
    `Networks  ${networks.map(labelOf).join(', ')}`,
    ...balances.map(describeBalance),
    `Spent     $${spent.lastHour} in the last hour, $${spent.lastDay} in the last day`,
    ...(spent.held === '0.00'
      ? []
      : [`Held      $${spent.held} of refused payments, until they can no longer be charged`]),
    ...(open.length === 0 ? ['Open      none'] : open.flatMap(describeOpen)),
  ];
  out.write(lines.map((line) => `${line}\n`).join(''));
}

function describeBalance({ network, symbol, amount, as_of: asOf }: Balance): string {
  const held = amount === null ? `unknown; RPC_URL of a node tells` : `${amount} ${symbol} at ${asOf}`;
  return `Balance   ${held}, on ${labelOf(network)}`;
}

type OpenPayment = Awaited<ReturnType<Caller['spending']>>['open'][number];

function describeOpen({ amount, url, paymentId, validBefore }: OpenPayment): string[] {
  return [
    `Open      $${amount} for ${url}, chargeable until ${validBefore.toISOString()}`,
    `          ${paymentId}`,
    '          The same command again presents it, and pays nothing twice.',
  ];
}
