import errors from './error-table.json' with { type: 'json' }

/**
 * Status and message of every error that a caller can get. A code is a key of this table, so a misspelt code does not
 * compile. Status 502 is reserved for calls of which nothing was executed, because clients retry it.
 */
export const errorTable = errors
