import { readFileSync } from 'node:fs';
import { reasons, type Reason } from '../../errors.js';
import { problemKindOf } from '../../operations/problem.js';
import { findProjectFile } from '../../project-file.js';
import { html, type Markup } from '../markup.js';
import type { Site } from '../page.js';
import { renderPage } from '../render-page.js';
import { withCode } from '../with-code.js';

/** Advice for callers about one reason. */
interface ReasonAdvice {
  /** The event. */
  readonly happened: string;
  readonly remedy: string;
  /** The state of the request's payment, when it is more than "not used". */
  readonly payment?: string;
}

/** @throws Error if a reason has no advice. Source: docs/decisions/contract.md and docs/decisions/payments.md. */
function readReasonGuide(): Readonly<Record<Reason, ReasonAdvice>> {
  const path = findProjectFile('src/pages/errors/reason-guide.json');
  const guide = JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<Reason, ReasonAdvice>>;
  const missing = reasons.filter((reason) => guide[reason] === undefined);
  if (missing.length > 0) throw new Error(`reason-guide.json does not describe ${missing.join(', ')}.`);
  return guide as Record<Reason, ReasonAdvice>;
}

/** The error guide: one entry for each reason, at the anchor that a problem's `type` links to. */
export function errorGuide(site: Site): string {
  const guide = readReasonGuide();
  const main = html`<section class="hero">
<h1>Errors</h1>
<p class="lead">Every error is an <code>application/problem+json</code> (RFC 9457) with one of ${reasons.length} reasons. None is ever billed.</p>
<p>Branch on <code>reason</code>, show <code>detail</code>, and follow <code>next</code>. When <code>retry_same_payment</code> is true, send the very same <code>PAYMENT-SIGNATURE</code> again and never sign a second one: it is charged at most once.</p>
</section>
${groups.map(({ title, holds }) => {
  const held = reasons.filter((reason) => holds(problemKindOf(reason).status, reason));
  const id = title.toLowerCase().replaceAll(' ', '-');
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p class="jumps">${held.map((reason) => html`<a href="#${reason}">${reason}</a> `)}</p>
${held.map((reason) => entry(reason, guide[reason]))}
</section>`;
})}`;
  return renderPage(site, {
    path: '/errors',
    title: 'Errors',
    description: 'What each reason of an error means, whether it is billed, and what to do.',
    main,
    style: 'errors.css',
  });
}

const isOfPayment = (reason: Reason): boolean => /payment|settlement|facilitator/.test(reason);

const unused = 'Not billed. A payment sent with the request was not used.';

/** Each reason belongs to exactly one group. */
const groups: readonly { title: string; holds: (status: number, reason: Reason) => boolean }[] = [
  { title: 'Paying', holds: (_status, reason) => isOfPayment(reason) },
  {
    title: 'The request',
    holds: (status, reason) => status < 500 && status !== 404 && status !== 429 && !isOfPayment(reason),
  },
  { title: 'Nothing there', holds: (status, reason) => status === 404 && !isOfPayment(reason) },
  { title: 'Try again later', holds: (status, reason) => (status >= 500 || status === 429) && !isOfPayment(reason) },
];

function entry(reason: Reason, { happened, remedy, payment = unused }: ReasonAdvice): Markup {
  const { status, title, retryable, samePayment } = problemKindOf(reason);
  const again = samePayment
    ? 'Yes: the very same payment, after Retry-After.'
    : retryable
      ? 'Yes: the same request can succeed later.'
      : 'No: the same request gets the same error.';
  return html`<article class="reason" id="${reason}" aria-labelledby="${reason}-title">
<h3 id="${reason}-title"><a href="#${reason}"><code>${reason}</code></a> <span class="chip status">${status}</span> <span>${title}</span></h3>
<dl>
<div><dt>What happened</dt><dd>${withCode(happened)}</dd></div>
<div><dt>Billed</dt><dd>${payment}</dd></div>
<div><dt>What to do</dt><dd>${withCode(remedy)}</dd></div>
<div><dt>Again</dt><dd>${again}</dd></div>
</dl>
</article>`;
}
