/** The last version of the feed that showed what was taken down, and until when its replies are still sent. */
export interface Takedown {
  readonly lastVersion: number;
  readonly sentUntil: Date;
}

/** Whether a reply, which says by which version of the feed it was made, is not to be sent any more. */
export function isSuppressed(
  { takedowns }: { readonly takedowns: readonly Takedown[] },
  text: string,
  at: Date,
): boolean {
  const version = Number(/ v(\d+)/.exec(text)?.[1]);
  return takedowns.some(({ lastVersion, sentUntil }) => version <= lastVersion && at >= sentUntil);
}
