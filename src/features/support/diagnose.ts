import * as all from './causes/all.ts'
import type { SupportCase } from './support-case.ts'
import type { Diagnosis } from './try-fixes.ts'

export const causes = Object.values(all)

/** All causes that the facts speak for, the likeliest first. */
export function diagnose(facts: SupportCase): Diagnosis[] {
  return causes
    .flatMap((cause) => {
      const finding = cause.find(facts)
      return finding ? [{ cause: cause.name, finding }] : []
    })
    .sort((left, right) => right.finding.sureness - left.finding.sureness)
}
