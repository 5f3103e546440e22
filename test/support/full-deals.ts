import type { RequestResult } from '../../generated/client/index.js';
import * as sdk from '../../generated/sdk.gen.js';
import type { DealList, GetMetaErrors, ListDealsErrors, Meta } from '../../generated/types.gen.js';

type ListFull = (
  options: NonNullable<Parameters<typeof sdk.listDeals>[0]>,
) => RequestResult<{ 200: DealList }, ListDealsErrors, false>;

/** The functions of the generated client, as tests call them that ask for no other view than the full one. */
export const listDeals = sdk.listDeals as unknown as ListFull;
export const listHotDeals = sdk.listHotDeals as unknown as ListFull;
export const getMeta = sdk.getMeta as unknown as (
  options: NonNullable<Parameters<typeof sdk.getMeta>[0]>,
) => RequestResult<{ 200: Meta }, GetMetaErrors, false>;
