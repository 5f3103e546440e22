/** A decimal text of dollars for people: "$212,500", with cents only where there are some. */
export function showUsd(amount: string): string {
  const [whole = '0', cents = ''] = amount.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${amount.startsWith('-') ? '−' : ''}$${grouped}${/^0*$/.test(cents) ? '' : `.${cents}`}`;
}
