import { ask } from './ask.js';
import { chooseOffer, type Offer } from './choose-offer.js';
import { choosePayer, isPrivateKey, type PrivateKey } from './choose-payer.js';
import { describeError } from './describe-error.js';
import { exitCodeOf, exitCodes, type ExitCode } from './exit-code.js';
import { helpText } from './help-text.js';
import { readNextPages } from './next-pages.js';
import { parseArguments, UsageError, type BuyArguments } from './parse-arguments.js';
import { plainText } from './plain-text.js';
import { PurchaseError } from './purchase-error.js';
import { purchase, type PaidWith } from './purchase.js';
import { createPaymentJournal } from './payment-journal.js';
import type { PaymentStorage } from './payment-storage.js';
import { findRecords, joinPages } from './records.js';
import { renderBodyAsCsv, renderBodyAsTable } from './render-body.js';
import type { Patience } from './send-patiently.js';
import { createServiceClient, type Reply } from './service-client.js';
import { formatUsd } from './usd.js';

/** What the command needs from outside. */
export interface Surroundings {
  readonly baseUrl: string;
  readonly privateKey: string | undefined;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Characters to a line. */
  readonly width: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Where payments are kept whose outcome is open: the same command again presents the same payment. */
  readonly storage: PaymentStorage;
  readonly now: () => Date;
  /** In [0, 1). */
  readonly random: () => number;
  /** So many bytes that nobody can guess. */
  readonly randomBytes: (length: number) => Uint8Array;
}

const maxAttempts = 6;

/** Runs the command and returns its exit code. Every problem is told in plain words; nothing is thrown for one. */
export async function runBuyCommand(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  let baseUrl = surroundings.baseUrl;
  try {
    const parsed = parseArguments(args);
    if (parsed === 'help') {
      surroundings.writeOut(helpText);
      return exitCodes.done;
    }
    baseUrl = readBaseUrl(parsed.origin ?? baseUrl);
    return await buy(parsed, baseUrl, readKey(surroundings.privateKey), surroundings);
  } catch (error) {
    if (error instanceof UsageError) {
      surroundings.writeError(`${error.message}\nnpm run buy -- --help says more.\n`);
      return exitCodes.usage;
    }
    if (!(error instanceof PurchaseError)) throw error;
    surroundings.writeError(describeError(error, baseUrl));
    return exitCodeOf(error);
  }
}

async function buy(
  { path, format, all, dryRun, maxPriceAtomic }: BuyArguments,
  baseUrl: string,
  key: PrivateKey | undefined,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { writeOut, writeError, width, sleep, random } = surroundings;
  const send = createServiceClient(baseUrl);
  // What is not the data goes where it cannot get into the data.
  const tell = format === 'table' ? writeOut : writeError;
  const patience: Patience = {
    maxAttempts,
    sleep,
    random,
    onWait: (seconds) => writeError(`Not now; trying the same again in ${seconds} s.\n`),
  };
  if (dryRun) {
    const asked = await ask(send, path, patience);
    tell(asked.kind === 'free' ? 'Price: free\n' : describePrice(chooseOffer(asked.challenge)));
    return exitCodes.done;
  }
  const { reply, paid } = await purchase(send, path, {
    ...surroundings,
    baseUrl,
    maxPriceAtomic,
    patience,
    journal: createPaymentJournal(surroundings),
    approve: (offer) => {
      tell(describePrice(offer));
      return choosePayer(offer, key);
    },
  });
  const pages = [reply];
  let failure: unknown;
  try {
    if (all) for await (const page of readNextPages(send, reply, patience)) pages.push(page);
  } catch (error) {
    failure = error; // told after the pages that are here: they are paid for
  }
  const body = pages.length === 1 ? parseBody(reply) : joinPages(pages.map(parseBody));
  const csv = format === 'csv' ? renderBodyAsCsv(body) : undefined;
  if (format === 'json') writeOut(pages.length === 1 ? reply.text : JSON.stringify(body));
  else writeOut(csv ?? (format === 'csv' ? reply.text : renderBodyAsTable(body, width)));
  if (format === 'csv' && csv === undefined) writeError('This is no list of records; it is printed as it came.\n');
  tell(describeCount(body, reply, all) + describePayment(paid));
  if (failure !== undefined) throw failure;
  return exitCodes.done;
}

function readBaseUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new UsageError(`BASE_URL must be an http or https address, not "${text}".`);
}

function readKey(text: string | undefined): PrivateKey | undefined {
  if (text === undefined || text === '') return undefined;
  if (isPrivateKey(text)) return text;
  throw new UsageError('PRIVATE_KEY must be 0x and 64 hexadecimal digits.'); // never repeated: it may be a secret
}

function parseBody({ headers, text }: Reply): unknown {
  if (!/[/+]json\b/.test(headers.get('content-type') ?? '')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // bought is bought: it is printed whatever it is
  }
}

function describePrice({ token, priceAtomic, requirement }: Offer): string {
  return `Price: ${formatUsd(priceAtomic)} on ${token.label} (${token.network}), to ${requirement.payTo}\n`;
}

function describePayment(paid: PaidWith | undefined): string {
  if (paid === undefined) return 'Free: nothing was paid.\n';
  const { payment, receipt } = paid;
  if (receipt === undefined) return `Paid ${formatUsd(BigInt(payment.amount))}. The server sent no receipt.\n`;
  const amount = BigInt(receipt.amount ?? payment.amount);
  const lines = [
    `Paid ${formatUsd(amount)} on ${receipt.network}`,
    `Transaction ${receipt.transaction}`,
    ...(receipt.payer === undefined ? [] : [`Payer ${receipt.payer}`]),
  ];
  return lines.map((line) => `${plainText(line)}\n`).join('');
}

function describeCount(body: unknown, first: Reply, all: boolean): string {
  const records = findRecords(body);
  if (records === undefined) return '';
  const count = records.rows.length;
  const total = Number(first.headers.get('x-total-count') ?? count);
  const rest = !all && first.headers.has('link') ? ' --all fetches the rest, free.' : '';
  return `${count} of ${total} records.${rest}\n`;
}
