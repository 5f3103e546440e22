/** Path of a deal's report. */
export function reportUrl(dealId: string): string {
  return `/api/deals/${dealId}/report`;
}
