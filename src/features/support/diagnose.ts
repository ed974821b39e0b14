import { createTimeSlice } from '../../platform/time-slice.ts'
import { accountCauses } from './causes/account.ts'
import { callCauses } from './causes/call.ts'
import { contentCauses } from './causes/content.ts'
import { crawlCauses } from './causes/crawl.ts'
import { filesCauses } from './causes/files.ts'
import { installationCauses } from './causes/installation.ts'
import { siteCauses } from './causes/site.ts'
import type { SupportCase } from './support-case.ts'
import type { Diagnosis } from './try-fixes.ts'

/** Causes sorted by name. If several causes have the same confidence, the first name comes first. */
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

export const minSupportedConfidence = 0.5
/** Maximum confidence of a cause that only a guess supports, slightly above `minSupportedConfidence`. */
const maxConfidenceByGuess = 0.55

/** Returns all causes, sorted by confidence. Guesses in the question count only if no cause is supported without them. */
export async function diagnose(facts: SupportCase): Promise<Diagnosis[]> {
  const found = await findAll(facts)
  if (found.some(({ finding }) => finding.confidence >= minSupportedConfidence)) return found
  const knownCauses = new Set(found.map(({ cause }) => cause))
  const guesses = await findAll({ ...facts, statements: facts.questionText })
  const guessed = guesses.map((diagnosis) =>
    knownCauses.has(diagnosis.cause)
      ? diagnosis
      : withConfidence(diagnosis, Math.min(maxConfidenceByGuess, diagnosis.finding.confidence)),
  )
  return sortByConfidence(guessed)
}

export const withConfidence = ({ cause, finding }: Diagnosis, confidence: number): Diagnosis => ({
  cause,
  finding: { ...finding, confidence },
})

export const sortByConfidence = (diagnoses: readonly Diagnosis[]) =>
  diagnoses.toSorted((left, right) => right.finding.confidence - left.finding.confidence)

/** Yields between causes: all of them search the question, which may be long. */
async function findAll(facts: SupportCase): Promise<Diagnosis[]> {
  const found: Diagnosis[] = []
  const timeSlice = createTimeSlice()
  for (const [cause, find] of causes) {
    const finding = find(facts)
    if (finding) found.push({ cause, finding })
    if (timeSlice.isDue()) await timeSlice.take()
  }
  return sortByConfidence(found)
}
