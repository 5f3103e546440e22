import type { Knex } from 'knex';
import { inTransaction } from '../../db/transaction.js';
import { createHoldsReader } from './holds-reader.js';

/** A record that got another id. */
export interface Renamed {
  readonly former: string;
  readonly current: string;
}

/** Moves holds of leads; they are made and freed by the ledger alone. */
export function createHoldsStore(knex: Knex) {
  const readHolds = createHoldsReader(knex);
  return {
    /**
     * Moves the holds that are in force at `now` of leads whose record got another id: what was sold is the property's
     * lead, whatever its id is. Several that become one are all kept.
     */
    async follow(findReplaced: (ids: readonly string[]) => Promise<readonly Renamed[]>, now: Date): Promise<void> {
      const held = await readHolds(now);
      const renamed = held.length === 0 ? [] : await findReplaced(held.map(({ leadId }) => leadId));
      if (renamed.length === 0) return;
      await inTransaction(knex, async (trx) => {
        // A sale that takes the next round of a lead meanwhile would meet the one that is moved there.
        await trx.raw('lock table lead_holds in share row exclusive mode');
        await trx.raw(moveHolds, { renamed: JSON.stringify(renamed), now });
      });
    },
  };
}

/** The rounds of the lead that they come to are counted on. */
const moveHolds = `
  update lead_holds as h set lead_id = m.current, round = m.round
  from (
    select s.lead_id as former, s.round as was, r.current,
      coalesce((select max(o.round) from lead_holds o where o.lead_id = r.current), 0)
        + row_number() over (partition by r.current order by s.held_at, s.lead_id, s.round) as round
    from lead_holds s
    join json_to_recordset(cast(:renamed as json)) as r(former uuid, current uuid) on r.former = s.lead_id
    where s.held_until > :now) as m
  where h.lead_id = m.former and h.round = m.was`;
