/** What is left to do at the end of a test run whose tests run in this process. */
export const atEnd: (() => Promise<void>)[] = [];
