// Play money: the published test key of the demonstration's own chain. Served there alone.
export { demonstrationAccount } from '../../client/payments/choose-payer.js';
