import { once } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import { phraseOf, words } from './words.ts'

/** What a value of a concept looks like, wherever it stands. */
export type ValueKind =
  | 'text'
  | 'name'
  | 'date'
  | 'time'
  | 'duration'
  | 'price'
  | 'count'
  | 'rating'
  | 'measure'
  | 'address'
  | 'image'
  | 'phone'
  | 'email'
  | 'code'
  | 'steps'
  | 'yes'

/** Something that pages of many kinds say, and what they and the authors of schemas call it. */
export interface Concept {
  name: string
  kind: ValueKind
  /** The properties of schema.org that hold it, best first: `offers.price`. */
  paths: readonly string[]
  /** Names and labels, in the languages of the pages, as `phraseOf` writes them. */
  phrases: readonly string[]
}

/** A concept in `concepts.json`: paths are separated by spaces, phrases by commas. */
export type ConceptRow = { name: string; kind: ValueKind; paths: string; phrases: string }

const rows = jsonFile<ConceptRow[]>(new URL('./concepts.json', import.meta.url))

const byPhrase = once(() => {
  const found = new Map<string, Concept[]>()
  for (const { name, kind, paths, phrases } of rows()) {
    const written = new Set(phrases.split(', ').map((phrase) => phraseOf(words(phrase))))
    const concept: Concept = { name, kind, paths: paths.split(' '), phrases: [...written] }
    for (const phrase of written) {
      const known = found.get(phrase)
      if (known) known.push(concept)
      else found.set(phrase, [concept])
    }
  }
  return found
})

/** What a phrase may mean, the most general first. */
export function conceptsNamed(phrase: string): readonly Concept[] {
  return byPhrase().get(phrase) ?? []
}

/** Whether a text is a label by itself, and so no value of another one. */
export function isKnownLabel(phrase: string): boolean {
  return byPhrase().has(phrase)
}
