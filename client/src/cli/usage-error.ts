/** The command line is wrong. The message says what to write instead. */
export class UsageError extends Error {}
