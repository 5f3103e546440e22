import { register } from 'tsx/esm/api';

// In every thread, because importing tsx registers it only in the first one.
register();
