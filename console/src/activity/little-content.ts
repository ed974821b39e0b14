import type { JobTrace } from '../../../client/src/types.ts'

const minCharacters = 300
const minKeptShare = 0.2

/** Returns true if so little text was kept that content may be missing. */
export function hasLittleContent({ state, steps }: JobTrace): boolean {
  if (state !== 'completed') return false
  const read = steps.findLast((step) => step.step === 'read')
  const write = steps.findLast((step) => step.step === 'write')
  if (write?.markdownCharacters !== undefined && write.markdownCharacters < minCharacters) return true
  return read !== undefined && read.keptCharacters < minKeptShare * read.pageCharacters
}
