import type { Concept } from './concept.ts'
import { eventsAndWork } from './events-and-work.ts'
import { food } from './food.ts'
import { further } from './further.ts'
import { general } from './general.ts'
import { goods } from './goods.ts'
import { homesAndCars } from './homes-and-cars.ts'
import { phraseOf, words } from './words.ts'

const concepts: readonly Concept[] = [
  ...general,
  ...goods,
  ...homesAndCars,
  ...eventsAndWork,
  ...food,
  ...further,
].map(([name, kind, paths, phrases]) => ({
  ...{ name, kind, paths: paths.split(' ') },
  phrases: [...new Set(phrases.split(', ').map((phrase) => phraseOf(words(phrase))))],
}))

const byPhrase = new Map<string, Concept[]>()
for (const concept of concepts) {
  for (const phrase of concept.phrases) {
    const known = byPhrase.get(phrase)
    if (known) known.push(concept)
    else byPhrase.set(phrase, [concept])
  }
}

/** What a phrase may mean, the most general first. */
export function conceptsNamed(phrase: string): readonly Concept[] {
  return byPhrase.get(phrase) ?? []
}

/** Whether a text is a label by itself, and so no value of another one. */
export function isKnownLabel(phrase: string): boolean {
  return byPhrase.has(phrase)
}
