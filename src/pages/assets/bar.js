import { showOpenPayments } from './open-payments.js';

// What every page has: the bar of open payments.
showOpenPayments();
