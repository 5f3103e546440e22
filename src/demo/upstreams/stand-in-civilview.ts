import { writeAmericanDay } from '../counties/day-number.js';
import type { DemoSale, DemoSaleStatus } from '../counties/create-sales.js';
import { escapeHtml, writeDollars } from './html-text.js';
import type { StandIn } from './stand-in.js';

const words: Readonly<Record<DemoSaleStatus, string>> = {
  scheduled: 'Scheduled',
  adjourned: 'Defendant Adjourned to',
  withdrawn: 'Withdrawn - Paid',
  cancelled: 'Cancelled',
  sold: 'Purchased - 3rd Party',
  no_bid: 'No Bid - No Sale',
};

/**
 * A stand-in for the sheriff sales of CivilView: the list of a county, and a page for each sale that is shown only within
 * a session that a list began; whoever comes without one is sent to choose a county.
 */
export function createCivilViewStandIn(place: string, readSales: (day: string) => readonly DemoSale[]): StandIn {
  return ({ url, headers, day }) => {
    const sales = readSales(day);
    if (url.pathname === '/Sales/SalesSearch') {
      const cookie = `ASP.NET_SessionId=demonstration${day.replaceAll('-', '')}; path=/; HttpOnly; SameSite=Lax`;
      return { headers: { ...html, 'set-cookie': [cookie] }, body: renderList(place, sales) };
    }
    const sale = sales.find(({ number }) => String(number) === url.searchParams.get('PropertyId'));
    const isKnown = /ASP\.NET_SessionId=demonstration/.test(headers.cookie ?? '');
    const body = sale !== undefined && isKnown ? renderSale(place, sale) : '<html><h3>Select a county</h3></html>';
    return { headers: html, body };
  };
}

const html = { 'content-type': 'text/html; charset=utf-8' };

function renderList(place: string, sales: readonly DemoSale[]): string {
  const lines = sales.map((sale) => {
    const { address, city, zip } = sale.property;
    const cells = [
      `F-${sale.number}`,
      writeAmericanDay(sale.saleDate),
      `${sale.plaintiff.slice(0, 18)}...`,
      `${sale.defendant.slice(0, 18)}...`,
      `${address} ${city} ${zip}`,
    ];
    const link = `<a href="/Sales/SaleDetails?PropertyId=${sale.number}">Details</a>`;
    return `<tr><td class="hidden-print">${link}</td>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
  });
  return `<!DOCTYPE html><html><head><title>Sales Listing</title></head><body><div class="container">
<h3>Sales Listing (${escapeHtml(place)}, demonstration)</h3>
<div class="table-responsive"><table class="table table-striped"><thead><tr><th class="hidden-print"></th><th>Sheriff #</th><th>Sales Date</th><th>Plaintiff</th><th>Defendant</th><th>Address</th></tr></thead><tbody>
${lines.join('\n')}
</tbody></table></div></div></body></html>`;
}

function renderSale(place: string, sale: DemoSale): string {
  const { address, city, zip, parcelId } = sale.property;
  const lines: readonly (readonly [string, string])[] = [
    ['Sheriff #:', `F-${sale.number}`],
    ['Court Case #:', sale.caseNumber],
    ['Sales Date:', writeAmericanDay(sale.saleDate)],
    ['Plaintiff:', escapeHtml(sale.plaintiff)],
    ['Defendant:', escapeHtml(sale.defendant)],
    ['Address:', `${escapeHtml(address)}<br />${escapeHtml(city)} OH ${zip}`],
    ['Parcel #:', parcelId],
    ['Attorney:', escapeHtml(sale.attorney)],
    ['Approx. Judgment*:', writeDollars(sale.judgment)],
    ['Appraised Value:', writeDollars(sale.appraised)],
    ['Opening Bid:', writeDollars(sale.openingBid)],
  ];
  const history = sale.history.map(
    ({ status, date }) => `<tr><td>${words[status]}</td><td>${writeAmericanDay(date)}</td></tr>`,
  );
  return `<!DOCTYPE html><html><head><title>Sales Listing Detail</title></head><body><div class="container"><h3>Sales Listing Detail (${escapeHtml(place)}, demonstration)</h3>
<div class="table-responsive"><table class="table table-striped"><tbody>
${lines.map(([label, value]) => `<tr><td class="heading-bold columnwidth-15">${label}</td><td>${value}</td><td class="DetailImageAlign"></td></tr>`).join('\n')}
</tbody></table><h3>Status History</h3><table class="table table-striped" id="longTable"><thead><tr><th>Status</th><th>Date</th></tr></thead><tbody>${history.join('')}</tbody></table></div></div></body></html>`;
}
