import { lazy } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import { phraseOf, words } from './words.ts'

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

interface Concept {
  name: string
  kind: ValueKind
  /** Properties of schema.org that contain the value, the best first: `offers.price`. */
  paths: readonly string[]
  /** Names and labels in the languages of the pages, as `phraseOf` returns them. */
  phrases: readonly string[]
}

/** Row of `concepts.json`: paths are separated by spaces, phrases by commas. */
export type ConceptRow = { name: string; kind: ValueKind; paths: string; phrases: string }

const rows = jsonFile<ConceptRow[]>(new URL('./concepts.json', import.meta.url))

const getConceptsByPhrase = lazy(() => {
  const conceptsByPhrase = new Map<string, Concept[]>()
  for (const { name, kind, paths, phrases } of rows()) {
    const normalised = new Set(phrases.split(', ').map((phrase) => phraseOf(words(phrase))))
    const concept: Concept = { name, kind, paths: paths.split(' '), phrases: [...normalised] }
    for (const phrase of normalised)
      conceptsByPhrase.set(phrase, [...(conceptsByPhrase.get(phrase) ?? []), concept])
  }
  return conceptsByPhrase
})

export function conceptsNamed(phrase: string): readonly Concept[] {
  return getConceptsByPhrase().get(phrase) ?? []
}

/** True if a phrase is a known label, and therefore not a value. */
export function isKnownLabel(phrase: string): boolean {
  return getConceptsByPhrase().has(phrase)
}
