import { jsonFile } from '../base/json-file.ts'
import { once } from '../base/once.ts'

/** Names separated by spaces. */
export interface ForeignNames {
  tags: string
  attributes: string
}

const names = jsonFile<ForeignNames>(new URL('./foreign-names.json', import.meta.url))

/**
 * Names in drawings and formulas that are written with capitals, by their lower case. HTML reads names without regard to case, but
 * XML, where drawings often end up, does not.
 */
export const foreignTags = once(() => byLowerCase(names().tags))
export const foreignAttributes = once(() => byLowerCase(names().attributes))

function byLowerCase(written: string): ReadonlyMap<string, string> {
  return new Map(written.split(' ').map((name) => [name.toLowerCase(), name]))
}
