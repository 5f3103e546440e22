/**
 * What must not compile. Nothing here runs: `tsc -b tsconfig/test.json` fails when one of these lines compiles, and
 * also when what must compile does not.
 */
import type { Deal } from '../../generated/types.gen.js';
import type { Rendered } from '../../src/contract/rendered.js';
import type { Handler, Handlers, Reply } from '../../src/api/handler.js';

export function acceptsWhatTheContractDeclares(handlers: Handlers, deals: Deal[], proven: Rendered<Deal[]>): unknown[] {
  const listDeals: Handler<'listDeals'> = ({ query }) => ({
    status: 200,
    body: query.min_units === 3 && query.state?.[0] === 'OH' ? deals : proven,
  });
  const getPage: Handler<'getPage'> = async ({ path }) => ({ status: 200, body: path.token === '' ? [] : deals });
  const replies: Reply<'getHealth'>[] = [{ status: 200, body: { status: 'alive' } }];
  const all: Handlers = { ...handlers, listDeals, getPage };
  return [all, replies];
}

export function refusesAMissingHandler(handlers: Handlers): Handlers {
  const { getHealth: _, ...others } = handlers;
  // @ts-expect-error getHealth is missing
  return others;
}

export function refusesAnUnknownHandler(handlers: Handlers, getHealth: Handler<'getHealth'>): Handlers {
  // @ts-expect-error getWealth is no operation
  return { ...handlers, getWealth: getHealth };
}

export function refusesAHandlerOfAnotherOperation(handlers: Handlers): Handlers {
  // @ts-expect-error a handler of basic deals does not give what listDeals declares
  return { ...handlers, listDeals: handlers.listBasicDeals };
}

export function refusesAnUndeclaredStatus(deals: Deal[]): Handler<'listDeals'>[] {
  return [
    // @ts-expect-error 206 is not declared
    () => ({ status: 206, body: deals }),
    // @ts-expect-error a redirect is not declared
    () => ({ status: 302, body: deals }),
    // @ts-expect-error 410 is declared for getPage, not here
    () => ({ status: 410, body: deals }),
  ];
}

export function refusesAWrongBody(deal: Deal, proven: Rendered<Deal>): Handler<'listDeals'>[] {
  const { city: _, ...cityless } = deal;
  return [
    // @ts-expect-error a record is no list
    () => ({ status: 200, body: deal }),
    // @ts-expect-error rendered bytes of a record are none of a list
    () => ({ status: 200, body: proven }),
    // @ts-expect-error a field is missing
    () => ({ status: 200, body: [cityless] }),
    // @ts-expect-error a status of no path
    () => ({ status: 200, body: [{ ...deal, rental_status: 'Cold' }] }),
    // @ts-expect-error a price is a decimal text
    () => ({ status: 200, body: [{ ...deal, list_price: 420_000 }] }),
    // @ts-expect-error a reply without its body
    () => ({ status: 200 }),
    // @ts-expect-error the body of another status
    () => ({ status: 404, body: [deal] }),
  ];
}

export function refusesAnUnknownParameter(deals: Deal[]): unknown[] {
  const listDeals: Handler<'listDeals'> = ({ query }) => ({
    status: 200,
    // @ts-expect-error min_unit is not declared
    body: query.min_unit === 3 ? deals : [],
  });
  const wrongType: Handler<'listDeals'> = ({ query }) => ({
    status: 200,
    // @ts-expect-error min_units is a number
    body: query.min_units === '3' ? deals : [],
  });
  const ofAnother: Handler<'listAuctions'> = ({ query }) => ({
    status: 200,
    // @ts-expect-error auctions have no units
    body: query.min_units === 3 ? [] : [],
  });
  const noPath: Handler<'getPage'> = ({ path }) => ({
    status: 200,
    // @ts-expect-error the path has a token only
    body: path.id === '' ? deals : [],
  });
  return [listDeals, wrongType, ofAnother, noPath];
}
