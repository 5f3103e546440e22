import type { App } from '../../src/app.js';
import { identifyByAddress } from '../../src/listings/listing-identity.js';
import { findCountyOfPlace } from '../../src/places/metros/zip-counties.js';
import { chunkRowsOf } from '../../src/sources/ingest/ingest-run.js';
import { ingestSource } from '../../src/sources/ingest/ingest-source.js';
import type { DeliveryKind, Source } from '../../src/sources/source.js';

/** Has an app read a source like its nightly job, and by default accept any shrinkage. */
export async function readSource<K extends DeliveryKind>(
  app: App,
  source: Source<K>,
  report: (rows: number) => void = () => undefined,
  acceptShrink = true,
): Promise<void> {
  const { now, database } = app;
  await ingestSource(source, {
    knex: database.knex,
    identify: identifyByAddress,
    countyOf: findCountyOfPlace,
    now,
    acceptShrink,
    chunkRows: chunkRowsOf[database.kind],
    onProgress: ({ rows }) => report(rows),
  });
}
