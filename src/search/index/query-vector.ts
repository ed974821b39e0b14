/** Resolves to the vector of a query; undefined if the sentence model does not answer. */
export type QueryVector = (query: string) => Promise<Int8Array | undefined>
