/** Kinds of personal data, by the names of the API. */
export const entities = ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] as const
export type Entity = (typeof entities)[number]

/**
 * How sure a finder must be:
 * - `accurate`: a checksum, a shape of its own, or a word that names it
 * - `aggressive`: a shape alone is enough
 * - `fast`: only what a shape of its own or a checksum proves, without a look at the words around
 */
export const redactionModes = ['accurate', 'aggressive', 'fast'] as const
export type RedactionMode = (typeof redactionModes)[number]

/** A place in a text that holds personal data. */
export interface Found {
  start: number
  end: number
  entity: Entity
}

/** Finds personal data of one kind, in time that grows with the text alone. */
export type Finder = (text: string, mode: RedactionMode) => Found[]
