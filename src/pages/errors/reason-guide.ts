import type { Reason } from '../../errors.js';

/** Advice for callers about one reason. */
export interface ReasonAdvice {
  /** The event. */
  readonly happened: string;
  readonly remedy: string;
  /** The state of the request's payment, when it is more than "not used". */
  readonly payment?: string;
}

/** Every reason of the closed enum, in its order. Source: docs/decisions/contract.md and docs/decisions/payments.md. */
export const reasonGuide: Readonly<Record<Reason, ReasonAdvice>> = {
  invalid_parameter: {
    happened: 'A parameter has an invalid value. `errors` gives the name, the place and the expected value of each.',
    remedy: 'Correct the parameters in `errors` and try again; the same payment is still valid.',
  },
  unknown_parameter: {
    happened: 'A parameter is unknown. It is refused, because a mistyped filter would buy the whole feed.',
    remedy: 'Use the name in `nearest`, or one from the contract; the same payment is still valid.',
  },
  missing_parameter: {
    happened: 'A required parameter is missing.',
    remedy: 'Add the parameters in `errors` and try again; the same payment is still valid.',
  },
  invalid_deal_id: {
    happened: 'The id in the path of a report is not a UUID.',
    remedy: 'Use an id from GET /api/deals/ids, free, or one of `live_examples` in the reply.',
  },
  placeholder_not_replaced: {
    happened: 'The path of a report contains its placeholder, such as {id}, instead of an id.',
    remedy: 'Replace it by the id of a deal. The `live_examples` in the reply work unchanged.',
  },
  unknown_deal: {
    happened: 'The id is well formed, but no deal in the feed has it. It may have left the feed.',
    remedy: 'Look it up in GET /api/deals/ids, free; the index lists every deal that can be bought now.',
  },
  no_records_match: {
    happened: 'The filters are valid and the place is covered, but no record matches all of them.',
    remedy: 'Loosen a filter. The detail says when a minimum is above its maximum.',
  },
  no_match: {
    happened: 'The address was parsed and its county is covered, but no deal, signal or sale is at this address.',
    remedy: 'Check the house number and the ZIP. The service has no other data on this address today.',
  },
  address_not_parsed: {
    happened: 'The text cannot be parsed as an address: the detail says which part is missing.',
    remedy: 'Send house number, street, city and state, or the ZIP, such as 3458 E 93rd St, Cleveland, OH 44105.',
  },
  outside_coverage: {
    happened: 'The service has no data for this state, city, county or address.',
    remedy: 'The detail names the covered places. GET /api/deals/ids lists every city with a deal, free.',
  },
  no_exclusive_lead_available: {
    happened: 'No lead that matches the filters is available for an exclusive sale now.',
    remedy: 'Loosen the filters, or try again later: leads return when their exclusive period ends.',
  },
  suppressed: {
    happened: 'This property is suppressed and no longer sold, because of a request or a law.',
    remedy: 'Do not ask for it again; a suppression applies to every feed.',
  },
  payment_required: {
    happened: 'The call has a price and came without a payment. Every purchase starts this way.',
    remedy:
      'Sign one of `accepts`, and send the request again with the PAYMENT-SIGNATURE header. Correct what `errors` lists first.',
  },
  payment_malformed: {
    happened: 'The PAYMENT-SIGNATURE header is unreadable: it is not base64 of JSON, was sent twice, or is too long.',
    remedy: 'Send the payload of an x402 version 2 client once, unchanged.',
  },
  payment_invalid: {
    happened:
      'The payment is readable but invalid: another network, token or receiver, a signature that is not the payer’s, or insufficient funds.',
    remedy: 'Read the detail, and sign one of `accepts` in this reply.',
  },
  payment_expired: {
    happened: 'The payment has expired, or expires in a few seconds.',
    remedy: 'Sign a new payment with a later validBefore. If the old one was sent before, check its state first.',
  },
  payment_amount_mismatch: {
    happened: 'The amount of the payment is not the price of this call.',
    remedy: 'Ask without payment, and sign the amount in `accepts`.',
  },
  payment_wrong_resource: {
    happened: 'The payment names another resource than the requested one.',
    remedy: 'Sign the challenge of this request: a payment for one call cannot buy another.',
  },
  payment_already_used: {
    happened: 'This payment has already bought a reply, or its authorization was used elsewhere.',
    remedy:
      'Sign a new payment for a new call. To get the old reply again, send the same payment-identifier, or ask /api/payments/{payment_id}/response with the wallet that paid.',
    payment: 'Charged once, for the earlier call; nothing was charged now.',
  },
  payment_in_progress: {
    happened: 'Another copy of the same request is using this payment.',
    remedy: 'Send the very same request again after Retry-After. Do not sign another payment.',
    payment: 'It may settle, and is charged at most once; the same payment then returns the reply.',
  },
  payment_id_conflict: {
    happened: 'The payment-identifier was used before, with another payment or another request.',
    remedy: 'Use a new identifier for a new purchase, or repeat the first request unchanged.',
  },
  settlement_unknown: {
    happened: 'The payment was sent, and its settlement is not known yet.',
    remedy:
      'Send the very same PAYMENT-SIGNATURE again after Retry-After, or ask GET /api/payments/{payment_id}, free. Never sign a second payment for this call.',
    payment: 'It may still settle: then the same payment returns the reply, and is charged once.',
  },
  settlement_failed: {
    happened: 'The chain definitely refused the payment. PAYMENT-RESPONSE gives the reason.',
    remedy: 'Fix the named cause, usually the balance, and sign a new payment.',
  },
  facilitator_unavailable: {
    happened: 'Payments cannot settle now: the chain or the facilitator is not answering.',
    remedy: 'Send the same request again later. Its payment is still valid.',
  },
  unknown_payment: {
    happened: 'This service has no payment with this id, or it was released or refunded: it bought nothing.',
    remedy: 'Compute the id again from network, token, payer and nonce. An unknown payment was not charged here.',
    payment: 'Nothing is charged for asking.',
  },
  rate_limited: {
    happened: 'The caller exceeded the rate limit.',
    remedy: 'Wait for Retry-After. RateLimit gives the remaining requests; paid requests are still answered.',
  },
  cursor_expired: {
    happened: 'The page token is older than 30 minutes.',
    remedy: 'Buy the result set again, and read its pages sooner. Without `limit` one reply has up to 1,000 records.',
  },
  payload_too_large: {
    happened: 'The request has a body, or its headers are too long. Only /mcp accepts a body, and only a short one.',
    remedy: 'Send a GET without a body and with fewer or shorter headers.',
  },
  not_found: {
    happened: 'The path does not exist, or its content has expired.',
    remedy: 'The contract at /openapi.json lists every path. Paths are case-sensitive and matched exactly.',
  },
  method_not_allowed: {
    happened: 'The path exists, but not for this method.',
    remedy: 'Use GET; HEAD and OPTIONS work as well. Only /mcp takes POST.',
  },
  not_acceptable: {
    happened: 'The Accept header excludes the media type of this path.',
    remedy: 'Accept application/json for data, or omit Accept.',
  },
  not_yet_published: {
    happened: 'The feed awaits its first publication, or the sources of this place have not been read yet.',
    remedy: 'Send the same request again after Retry-After. Until then no payment is required or used.',
  },
  temporarily_unavailable: {
    happened:
      'The server cannot answer this now: it is starting, very busy, or a new feed version was published during the request.',
    remedy: 'Send the same request again after Retry-After; the same payment is still valid.',
  },
  internal_error: {
    happened: 'The server failed while it answered the request.',
    remedy: 'Try again. If it persists, send the operator the `request_id`; the cause is only in the server log.',
  },
};
