/** What `--help` prints. */
export const helpText = `Buys one answer of the deals feed with x402: asks the price, signs, pays, prints.

  npm run buy -- "/api/deals?state=OH"
  npm run buy -- "/api/deals/hot" --dry-run
  npm run buy -- "/api/deals/<id>/report" --max 1.50 --json
  npm run --silent buy -- "/api/deals?min_score=60" --csv > deals.csv

Arguments
  <path>         What to buy, with its query. GET /api/meta lists everything, free.
  --json         The body alone on standard output; all else goes to standard error.
  --csv          The records as CSV (RFC 4180) on standard output; all else goes to standard error.
  --all          Fetches the further pages of the result too. They are free.
  --dry-run      Shows the price and pays nothing.
  --max <usd>    Highest price to pay. Default 0.10.
  --help         This text.

Environment
  BASE_URL       The server. Default http://127.0.0.1:4021.
  PRIVATE_KEY    Key of the account that pays: 0x and 64 hexadecimal digits. Default, on the local demonstration
                 chain only: the public key of the demonstration's buyer. It is worth nothing anywhere else.
  PAYMENTS_DIR   Where payments are kept. Default ~/.deals-feed/payments. While it is not known whether one was
                 charged, the same command presents it again, and pays nothing twice.

Exit codes
  0  done    1  refused, or nothing matched (not charged)    2  usage    3  payment problem    4  server unreachable
`;
