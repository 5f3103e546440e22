/** Formats a decimal text of dollars: "$212,500", with cents only when they are not zero. */
export function showUsd(amount: string): string {
  const [whole = '0', cents = ''] = amount.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${amount.startsWith('-') ? '−' : ''}$${grouped}${/^0*$/.test(cents) ? '' : `.${cents}`}`;
}
