import type { Knex } from 'knex';

/** A record that got another id. */
export interface Renamed {
  readonly former: string;
  readonly current: string;
}

/** Moves holds of leads; they are made and freed by the ledger alone. */
export interface HoldsStore {
  /** Moves the holds of leads whose record got another id: what was sold is the property's lead, whatever its id is. */
  move(renamed: readonly Renamed[]): Promise<void>;
}

export function createHoldsStore(knex: Knex): HoldsStore {
  return {
    async move(renamed) {
      if (renamed.length > 0) await knex.raw(moveHolds, { renamed: JSON.stringify(renamed) });
    },
  };
}

const moveHolds = `
  update lead_holds as h set lead_id = r.current
  from json_to_recordset(cast(:renamed as json)) as r(former uuid, current uuid)
  where h.lead_id = r.former
    and not exists (select 1 from lead_holds as o where o.lead_id = r.current and o.round = h.round)`;
