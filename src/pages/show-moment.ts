import { html, type Markup } from './markup.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a UTC timestamp or a date of the contract: "20 Nov 2026, 05:00 UTC" or "1 Dec 2026". */
export function showMoment(text: string): Markup {
  const [year = '', month = '', day = ''] = text.slice(0, 10).split('-');
  const time = text.length > 10 ? `, ${text.slice(11, 16)} UTC` : '';
  return html`<time datetime="${text}">${Number(day)} ${months[Number(month) - 1]} ${year}${time}</time>`;
}
