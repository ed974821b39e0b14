import type { JobTrace } from '../../../client/src/types.ts'

const fewCharacters = 300
const smallShare = 0.2

/** Whether a page came out with so little that something may be missing. */
export function isThin({ state, steps }: JobTrace): boolean {
  if (state !== 'completed') return false
  const read = steps.findLast((step) => step.step === 'read')
  const write = steps.findLast((step) => step.step === 'write')
  if (write?.markdownCharacters !== undefined && write.markdownCharacters < fewCharacters) return true
  return read !== undefined && read.keptCharacters < smallShare * read.pageCharacters
}
