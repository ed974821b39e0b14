import errors from './error-table.json' with { type: 'json' }

/**
 * Every error that a caller can get: its status and its message. A code is a key of this table, so a misspelt
 * code does not compile. 502 is reserved for "nothing was executed", because clients repeat it.
 */
export const errorTable = errors
