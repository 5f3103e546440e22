import type { Ledger } from '../../src/payments/ledger/ledger.js';

/** The port's own methods, without the proxy around them. */
export function spread(ledger: Ledger): Ledger {
  return {
    find: (...args) => ledger.find(...args),
    findById: (...args) => ledger.findById(...args),
    claim: (...args) => ledger.claim(...args),
    listInFlight: (...args) => ledger.listInFlight(...args),
    isClientIdTaken: (...args) => ledger.isClientIdTaken(...args),
    finish: (...args) => ledger.finish(...args),
    release: (...args) => ledger.release(...args),
    endLease: (...args) => ledger.endLease(...args),
    takeOver: (...args) => ledger.takeOver(...args),
    takeRedelivery: (...args) => ledger.takeRedelivery(...args),
    recordDeliveries: (...args) => ledger.recordDeliveries(...args),
    readReplyBody: (...args) => ledger.readReplyBody(...args),
    endForeignLeases: (...args) => ledger.endForeignLeases(...args),
    discardBodies: (...args) => ledger.discardBodies(...args),
    listOpen: (...args) => ledger.listOpen(...args),
    listSettled: (...args) => ledger.listSettled(...args),
    bookReorg: (...args) => ledger.bookReorg(...args),
    moveSettlement: (...args) => ledger.moveSettlement(...args),
  };
}
