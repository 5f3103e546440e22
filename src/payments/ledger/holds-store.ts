import type { Knex } from 'knex';
import { createHoldsReader } from './holds-reader.js';

/** A record with another id, which it got later or had before. */
export interface Renamed {
  readonly former: string;
  readonly current: string;
}

/**
 * Extends the holds of leads that are in force to the other ids of their records, in a transaction: what was sold is
 * the property's lead, whatever its id is. No id is let go: it may be the property's own again. Several that come to
 * one id are all kept. Can be repeated. Holds are made and freed by the ledger alone.
 */
export async function extendHolds(
  transaction: Knex,
  findReplaced: (ids: readonly string[]) => Promise<readonly Renamed[]>,
): Promise<void> {
  // Until the transaction ends nothing is claimed or let go: a claim that still saw the version before is waited for.
  await transaction.raw('lock table lead_holds in share row exclusive mode');
  const { leadIds } = await createHoldsReader(transaction)();
  const renamed = leadIds.length === 0 ? [] : await findReplaced(leadIds);
  if (renamed.length > 0) await transaction.raw(copyHolds, { renamed: JSON.stringify(renamed) });
}

/** The rounds of the lead that they come to are counted on. */
const copyHolds = `
  insert into lead_holds (lead_id, round, held_at, held_until, network, asset, payer, nonce)
  select s.current, coalesce((select max(o.round) from lead_holds o where o.lead_id = s.current), 0)
      + row_number() over (partition by s.current order by s.held_at, s.lead_id, s.round),
    s.held_at, s.held_until, s.network, s.asset, s.payer, s.nonce
  from (
    select distinct on (r.current, h.network, h.asset, h.payer, h.nonce) r.current, h.* from lead_holds h
    join json_to_recordset(cast(:renamed as json)) as r(former uuid, current uuid) on r.former = h.lead_id
    where h.held_until > now() and not exists (
      select 1 from lead_holds o
      where (o.lead_id, o.network, o.asset, o.payer, o.nonce) = (r.current, h.network, h.asset, h.payer, h.nonce))
    order by r.current, h.network, h.asset, h.payer, h.nonce, h.lead_id) as s`;
