/**
 * The service's secrets, the same on all instances: the current one, then other accepted ones, such as the previous one
 * while a change is rolled out.
 */
export type Secrets = readonly [string, ...string[]];
