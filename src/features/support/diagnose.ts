import { accountCauses } from './causes/account.ts'
import { callCauses } from './causes/call.ts'
import { contentCauses } from './causes/content.ts'
import { crawlCauses } from './causes/crawl.ts'
import { filesCauses } from './causes/files.ts'
import { installationCauses } from './causes/installation.ts'
import { siteCauses } from './causes/site.ts'
import type { SupportCase } from './support-case.ts'
import type { Diagnosis } from './try-fixes.ts'

/** By name: of causes that are equally likely, the first one counts. */
export const causes = [
  accountCauses,
  callCauses,
  contentCauses,
  crawlCauses,
  filesCauses,
  installationCauses,
  siteCauses,
]
  .flatMap((table) => Object.entries(table))
  .sort(([left], [right]) => (left < right ? -1 : 1))

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
    known.has(one.cause) ? one : withConfidence(one, Math.min(mostByGuess, one.finding.sureness)),
  )
  return sorted(guessed)
}

export const withConfidence = ({ cause, finding }: Diagnosis, sureness: number): Diagnosis => ({
  cause,
  finding: { ...finding, sureness },
})

export const sorted = (diagnoses: readonly Diagnosis[]) =>
  diagnoses.toSorted((left, right) => right.finding.sureness - left.finding.sureness)

function findAll(facts: SupportCase): Diagnosis[] {
  const found = causes.flatMap(([cause, find]) => {
    const finding = find(facts)
    return finding ? [{ cause, finding }] : []
  })
  return sorted(found)
}
