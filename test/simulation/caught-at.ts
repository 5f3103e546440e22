/**
 * A history that has caught each damage whose search from the first history is long: where little time is spent, it is
 * looked at first.
 */
export const caughtAt: Readonly<Partial<Record<string, number>>> = {
  'reserves nothing: every copy wins its claim': 207,
  'does not hold a payment to its request': 467,
  'takes a timeout for a refusal': 48,
  'lets a payment go whose outcome is unknown': 30,
  'never looks again at what the chain may undo': 22,
  'charges for a 404': 93,
  'finishes whoever has the lease, and whatever the state': 222,
  'lets a payment go when its own clock says that it has expired': 385,
  'sells what somebody else has sent to whoever shows its signature': 36,
  'takes any mined transaction that the facilitator names for the transfer': 253,
  "takes a facilitator's silence for a refusal": 29,
  "takes a facilitator's refusal for the truth": 75,
  'takes code 5 of a node that has the transaction for a refusal': 40,
  'takes "nonce too low" for a refusal': 203,
  'takes a bare hash for a receipt': 881,
  'does not look for a failure when it takes a payment over': 387,
  'sends again what has failed on the chain': 474,
  'keeps what it signs without looking who has the claim': 686,
  'counts what a payer holds without what is in flight': 54,
  'gives a reply again as often as it is asked for, once one was incomplete': 24,
  'forgets which replies have not arrived, and takes them for delivered': 24,
  'lets one identifier stand for several payments': 87,
  'asks for no identifier where a payment has one': 52,
  'does not look who has signed a proof': 89,
  'frees the lead of a payment whose outcome is unknown': 40,
};
