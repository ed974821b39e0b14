/** Error in the command line. The message contains the correct usage. */
export class UsageError extends Error {}
