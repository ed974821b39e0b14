import * as all from './causes/all.ts'
import type { SupportCase } from './support-case.ts'
import type { Diagnosis } from './try-fixes.ts'

export const causes = Object.values(all)

/** Above this, the facts speak for a cause. */
const spokenFor = 0.5
/** What only a guess of the asker speaks for is hardly likelier. */
const mostByGuess = 0.55

/** All causes that the facts speak for, the likeliest first. Guesses of the asker count where nothing else does. */
export function diagnose(facts: SupportCase): Diagnosis[] {
  const found = findAll(facts)
  if (found.some(({ finding }) => finding.sureness >= spokenFor)) return found
  const known = new Set(found.map(({ cause }) => cause))
  const guessed = findAll({ ...facts, said: facts.words }).map((one) =>
    known.has(one.cause) ? one : withSureness(one, Math.min(mostByGuess, one.finding.sureness)),
  )
  return sorted(guessed)
}

export const withSureness = ({ cause, finding }: Diagnosis, sureness: number): Diagnosis => ({
  cause,
  finding: { ...finding, sureness },
})

export const sorted = (diagnoses: readonly Diagnosis[]) =>
  diagnoses.toSorted((left, right) => right.finding.sureness - left.finding.sureness)

function findAll(facts: SupportCase): Diagnosis[] {
  const found = causes.flatMap((cause) => {
    const finding = cause.find(facts)
    return finding ? [{ cause: cause.name, finding }] : []
  })
  return sorted(found)
}
