import { defineCause } from '../cause.ts'
import { failedWith, speaksOf } from '../support-case.ts'

export const noCredits = defineCause({
  name: 'no-credits',
  find(facts) {
    const { remainingCredits } = facts.account
    const skipped = facts.job?.pages?.skipped.credits ?? 0
    const isMet = failedWith(facts, 'CREDITS_EXHAUSTED') !== undefined || skipped > 0
    const isAsked = speaksOf(facts, /\b402\b|credit|payment|CREDITS_EXHAUSTED/i)
    const isEmpty = remainingCredits !== null && remainingCredits < 5
    if (!isMet && !isEmpty && !(isAsked && remainingCredits !== null)) return undefined
    return {
      sureness: isMet || (isEmpty && isAsked) ? 0.96 : isEmpty ? 0.9 : 0.6,
      diagnosis: `The team has ${remainingCredits ?? 0} credits left${skipped > 0 ? `, so ${skipped} pages were not taken` : ''}.`,
      advice:
        'Ask for less (a lower limit, fewer formats), or let the operator grant credits with npm run key.',
    }
  },
})
