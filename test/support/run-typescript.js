import { register } from 'tsx/esm/api';

// In every thread: what tsx does by itself when it is imported holds for the first one alone.
register();
