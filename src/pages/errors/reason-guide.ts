import type { Reason } from '../../errors.js';

/** What a caller should know about one reason. */
export interface ReasonAdvice {
  /** What happened. */
  readonly happened: string;
  readonly remedy: string;
  /** What became of a payment that came with the request, where there is more to say than that none was used. */
  readonly payment?: string;
}

/** Every reason of the closed enum, in its order. Source: docs/decisions/contract.md and docs/decisions/payments.md. */
export const reasonGuide: Readonly<Record<Reason, ReasonAdvice>> = {
  invalid_parameter: {
    happened:
      'A parameter has a value that it cannot have. `errors` names each one, where it stands and what is expected.',
    remedy: 'Correct the parameters in `errors` and ask again; the same payment is still good.',
  },
  unknown_parameter: {
    happened: 'A parameter is not known here. It is refused, because a mistyped filter would buy the whole feed.',
    remedy: 'Take the name in `nearest`, or one from the contract; the same payment is still good.',
  },
  missing_parameter: {
    happened: 'A parameter that this call cannot do without is missing.',
    remedy: 'Add the parameters in `errors` and ask again; the same payment is still good.',
  },
  invalid_deal_id: {
    happened: 'The id in the path of a report is not a UUID.',
    remedy: 'Take an id from GET /api/deals/ids, free, or one of `live_examples` in the answer.',
  },
  placeholder_not_replaced: {
    happened: 'The path of a report was sent with its placeholder, such as {id}, in the place of an id.',
    remedy: 'Put the id of a deal there. The answer has `live_examples` that work as they are.',
  },
  unknown_deal: {
    happened: 'The id is well formed, but no deal in the feed has it. It may have left the feed.',
    remedy: 'Look it up in GET /api/deals/ids, free; the index lists every deal that can be bought now.',
  },
  no_records_match: {
    happened: 'The filters are valid and the place is covered, but no record matches all of them.',
    remedy: 'Loosen a filter. The detail says when a minimum stands above its maximum.',
  },
  no_match: {
    happened: 'The address could be read and its county is covered, but no deal, signal or sale is of it.',
    remedy: 'Check the house number and the ZIP. Nothing more is known here of this address today.',
  },
  address_not_parsed: {
    happened: 'The text is not an address that can be read: the detail says which part is missing.',
    remedy: 'Send house number, street, city and state, or the ZIP, such as 3458 E 93rd St, Cleveland, OH 44105.',
  },
  outside_coverage: {
    happened: 'The state, city, county or address lies where this service has no data at all.',
    remedy: 'The detail says what is read instead. GET /api/deals/ids lists every city with a deal, free.',
  },
  no_exclusive_lead_available: {
    happened: 'No lead that matches the filters is free to be sold to you alone now.',
    remedy: 'Loosen the filters, or come back later: leads return to the pool when their time is over.',
  },
  suppressed: {
    happened: 'This property is withheld and not sold any more, because somebody has a right to that.',
    remedy: 'Do not ask for it again; what is withheld here is withheld in every feed.',
  },
  payment_required: {
    happened: 'The call costs money and no payment came with it. This is how a purchase begins.',
    remedy:
      'Sign one of `accepts`, and send the request again with the PAYMENT-SIGNATURE header. Correct what `errors` lists first.',
  },
  payment_malformed: {
    happened:
      'The PAYMENT-SIGNATURE header cannot be read: it is not base64 of a JSON text, came twice, or is too long.',
    remedy: 'Send the payload of an x402 version 2 client as it made it, once.',
  },
  payment_invalid: {
    happened:
      'The payment can be read but is not good: another network, token or receiver, a signature that is not the payer’s, or a payer without the funds.',
    remedy: 'Read the detail, and sign what `accepts` of this answer asks for.',
  },
  payment_expired: {
    happened: 'The time in which the payment could be used is over, or ends in a few seconds.',
    remedy: 'Sign a new payment with a later validBefore. If the old one was sent before, ask what became of it first.',
  },
  payment_amount_mismatch: {
    happened: 'The payment is for another amount than this call costs.',
    remedy: 'Ask without payment, and sign the amount in `accepts`.',
  },
  payment_wrong_resource: {
    happened: 'The payment names another address than the one it was sent to.',
    remedy: 'Sign what this address asks for: a payment for one call buys no other.',
  },
  payment_already_used: {
    happened: 'This payment has bought an answer before, or its authorization was used elsewhere.',
    remedy:
      'Sign a new payment for a new call. The old answer comes again with the same payment-identifier, or at /api/payments/{payment_id}/response for the wallet that paid.',
    payment: 'Charged once, for the call that it bought; nothing more was charged now.',
  },
  payment_in_progress: {
    happened: 'Another copy of the same request is at work on this payment.',
    remedy: 'Send the very same request again after Retry-After. Do not sign another payment.',
    payment: 'It may settle, and is charged at most once; the same payment then gets the answer.',
  },
  payment_id_conflict: {
    happened: 'The payment-identifier was used before, with another payment or another request.',
    remedy: 'Take a new identifier for a new purchase, or repeat the first request unchanged.',
  },
  settlement_unknown: {
    happened: 'The payment was sent, and nobody knows yet whether it settled.',
    remedy:
      'Send the very same PAYMENT-SIGNATURE again after Retry-After, or ask GET /api/payments/{payment_id}, free. Never sign a second payment for this call.',
    payment: 'It may still settle: then the same payment gets the answer, and is charged once.',
  },
  settlement_failed: {
    happened: 'The payment was tried, and the chain definitely refused it. PAYMENT-RESPONSE says why.',
    remedy: 'Mend what the reason names, most often the balance, and sign a new payment.',
  },
  facilitator_unavailable: {
    happened: 'Payments cannot settle now: the chain or the facilitator does not answer.',
    remedy: 'Send the same request again later. The payment that came with it is as good as before.',
  },
  unknown_payment: {
    happened: 'No payment with this id was claimed here, or it was let go or given back: it bought nothing.',
    remedy: 'Compute the id again from network, token, payer and nonce. What is unknown here was not charged here.',
    payment: 'Nothing is charged for asking.',
  },
  rate_limited: {
    happened: 'More was asked in a short time than one caller may.',
    remedy: 'Wait for Retry-After. RateLimit tells what is left; what you have paid for is answered all the same.',
  },
  cursor_expired: {
    happened: 'The token of a further page is older than 30 minutes.',
    remedy: 'Buy the result set again, and read on soon. Without `limit` one answer has up to 1,000 records.',
  },
  payload_too_large: {
    happened: 'The request has a body or too long headers. No address takes a body but /mcp, and that a short one.',
    remedy: 'Send a GET without a body and with fewer or shorter headers.',
  },
  not_found: {
    happened: 'Nothing stands at this address, or what stood there is not kept any longer.',
    remedy: 'The contract at /openapi.json lists every address. Paths are matched as they come, letter by letter.',
  },
  method_not_allowed: {
    happened: 'The address exists, but not for this method.',
    remedy: 'Use GET; HEAD and OPTIONS work as well. Only /mcp takes POST.',
  },
  not_acceptable: {
    happened: 'The Accept header refuses the one media type that this address answers in.',
    remedy: 'Ask for application/json on data, or leave Accept away.',
  },
  not_yet_published: {
    happened: 'The feed is published for the first time, or the sources of this place were not read yet.',
    remedy: 'Send the same request again after Retry-After. No payment is asked for or used until then.',
  },
  temporarily_unavailable: {
    happened: 'The server cannot answer this now: it is starting, very busy, or the feed moved while it was read.',
    remedy: 'Send the same request again after Retry-After; the same payment is still good.',
  },
  internal_error: {
    happened: 'Something went wrong on this side.',
    remedy: 'Ask again. If it stays, tell the operator the `request_id`; nothing else is told about the cause.',
  },
};
