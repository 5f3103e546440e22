import { readBuyerEnvironment, type Buyer } from '../buyer-environment.js';
import { PurchaseError } from '../payments/purchase-error.js';
import { UsageError } from '../usage-error.js';
import { describeError } from './describe-error.js';
import { exitCodeOf, exitCodes, type ExitCode } from './exit-code.js';
import { get } from './get.js';
import { openCaller, openWallet } from './open-caller.js';
import { parseCommand, type Command } from './parse-command.js';
import { renderHelp } from './render-help.js';
import { showPrices } from './show-prices.js';
import { showWallet } from './show-wallet.js';
import type { Surroundings } from './surroundings.js';

/**
 * Runs the command and returns its exit code. Reports every PurchaseError and UsageError as text instead of throwing.
 */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { out, notes, environment, signal } = surroundings;
  let baseUrl = '';
  try {
    const command = parseCommand(args);
    if (command.do === 'help') {
      out.write(renderHelp(command.verb));
      return exitCodes.done;
    }
    const origin = command.do === 'get' ? command.origin : undefined;
    const buyer = readBuyerEnvironment({ ...environment, ...(origin !== undefined && { BASE_URL: origin }) });
    ({ baseUrl } = buyer);
    await run(command, buyer, surroundings);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof UsageError) {
      notes.write(`${error.message}\n--help says more.\n`);
      return exitCodes.usage;
    }
    if (!(error instanceof PurchaseError)) throw error;
    if (signal?.aborted === true) return exitCodes.done; // the output has no reader, so a message is useless
    notes.write(describeError(error, baseUrl));
    return exitCodeOf(error);
  }
}

async function run(
  command: Exclude<Command, { do: 'help' }>,
  { baseUrl, privateKey }: Buyer,
  surroundings: Surroundings,
): Promise<void> {
  const wallet = openWallet(privateKey);
  const caller = openCaller(baseUrl, wallet, surroundings);
  const format = command.format ?? (surroundings.out.isTTY === true ? 'table' : 'json');
  switch (command.do) {
    case 'get':
      return get(command, format, caller, surroundings);
    case 'prices':
      return showPrices(format, caller, surroundings);
    case 'wallet':
      return showWallet(wallet, format, caller, surroundings);
  }
}
