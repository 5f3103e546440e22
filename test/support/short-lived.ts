/** Node's option for a process of seconds: optimizing the embedded database would take longer than it saves. */
export const shortLived = '--liftoff-only';
