import { jsonFile } from '../../base/json-file.ts'
import { once } from '../../base/once.ts'
import type { Concept, ConceptRow } from './concept.ts'
import { phraseOf, words } from './words.ts'

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
