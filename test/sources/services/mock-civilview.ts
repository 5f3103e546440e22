import type { DemoSale, DemoSaleStatus } from '../../../src/demo/counties/create-sales.js';
import { escapeHtml, type MockServer, writeDollars, writeAmericanDay } from './mock-server.js';

const words: Readonly<Record<DemoSaleStatus, string>> = {
  scheduled: 'Scheduled',
  adjourned: 'Defendant Adjourned to',
  withdrawn: 'Withdrawn - Paid',
  cancelled: 'Cancelled',
  sold: 'Purchased - 3rd Party',
  no_bid: 'No Bid - No Sale',
};

/**
 * A mock server for CivilView's sheriff sales: the list of a county, and a page per sale that is visible only in a
 * session begun by a list. A sale's id is valid for the day (on the real site for some minutes); a request without a
 * session or with an old id is redirected to the choice of county. The history begins with the earliest status, as in
 * many counties.
 */
export function createMockCivilView(place: string, readSales: (day: string) => readonly DemoSale[]): MockServer {
  return ({ url, headers, day }) => {
    if (url.pathname === '/Home/Index') return { headers: html, body: '<html><h3>Select a county</h3></html>' };
    const sales = readSales(day);
    if (url.pathname === '/Sales/SalesSearch') {
      const cookie = `ASP.NET_SessionId=demonstration${day.replaceAll('-', '')}; path=/; HttpOnly; SameSite=Lax`;
      return { headers: { ...html, 'set-cookie': [cookie] }, body: renderList(place, sales, day) };
    }
    const sale = sales.find((each) => propertyIdOf(each, day) === url.searchParams.get('PropertyId'));
    const isKnown = /ASP\.NET_SessionId=demonstration/.test(headers.cookie ?? '');
    if (sale === undefined || !isKnown) return { status: 302, headers: { location: '/Home/Index' }, body: '' };
    return { headers: html, body: renderSale(place, sale) };
  };
}

function propertyIdOf({ number }: DemoSale, day: string): string {
  return `${day.replaceAll('-', '')}${number}`;
}

const html = { 'content-type': 'text/html; charset=utf-8' };

function renderList(place: string, sales: readonly DemoSale[], day: string): string {
  const lines = sales.map((sale) => {
    const { address, city, zip } = sale.property;
    const cells = [
      `F-${sale.number}`,
      writeAmericanDay(sale.saleDate),
      `${sale.plaintiff.slice(0, 18)}...`,
      `${sale.defendant.slice(0, 18)}...`,
      `${address} ${city} ${zip}`,
    ];
    const link = `<a href="/Sales/SaleDetails?PropertyId=${propertyIdOf(sale, day)}">Details</a>`;
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
  const items = lines.map(
    ([label, value]) =>
      `<div class="sale-detail-item"><div class="sale-detail-label">${label.replace(':', '&colon;')}</div><div class="sale-detail-value">${value}</div><div class="sale-detail-image"></div></div>`,
  );
  const history = sale.history
    .map(({ status, date }) => `<tr><td>${words[status]}</td><td>${writeAmericanDay(date)}</td></tr>`)
    .reverse();
  return `<!DOCTYPE html><html><head><title>Sales Listing Detail</title></head><body><div class="container"><h1>Sales Listing Detail (${escapeHtml(place)}, demonstration)</h1>
<div class="sale-details-list">
${items.join('\n')}
</div><h3>Status History</h3><table class="table table-striped" id="longTable"><thead><tr><th>Status</th><th>Date</th></tr></thead><tbody>${history.join('')}</tbody></table></div></body></html>`;
}
