/**
 * The secrets of the service, the same on all instances: the one in use, then others that are accepted as well, such as
 * the one before it while a change goes from instance to instance.
 */
export type Secrets = readonly [string, ...string[]];
