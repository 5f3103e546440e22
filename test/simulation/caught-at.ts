/**
 * A history that has caught each damage whose search from the first history is long: where little time is spent, it is
 * looked at first.
 */
export const caughtAt: Readonly<Partial<Record<string, number>>> = {
  'does not hold a payment to its request': 253,
  'takes a timeout for a refusal': 27,
  'lets a payment go when its own clock says that it has expired': 255,
  'takes any mined transaction that the facilitator names for the transfer': 111,
  "takes a facilitator's refusal for the truth": 122,
  'takes code 5 of a node that has the transaction for a refusal': 257,
  'takes "nonce too low" for a refusal': 286,
  'takes a bare hash for a receipt': 258,
  'does not look for a failure when it takes a payment over': 283,
  'signs anew while an earlier transaction lives': 85,
  'gives a reply again as often as it is asked for, once one was incomplete': 22,
  'forgets which replies have not arrived, and takes them for delivered': 22,
  'lets one identifier stand for several payments': 36,
  'asks for no identifier where a payment has one': 248,
  'does not look who has signed a proof': 122,
  'frees the lead of a payment whose outcome is unknown': 34,
  'finishes whoever has the lease, and whatever the state': 369,
  'reserves nothing: every copy wins its claim': 999,
  'sends again what has failed on the chain': 1688,
};
