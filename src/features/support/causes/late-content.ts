import { defineCause } from '../cause.ts'
import { markdownLength, speaksOf, stepsOf, warnsOf } from '../support-case.ts'

export const lateContent = defineCause({
  name: 'late-content',
  find(facts) {
    if (facts.job?.error) return undefined
    const usedBrowser = stepsOf(facts, 'fetch').some(({ engine }) => engine === 'chromium')
    const isCut =
      warnsOf(facts, /still loading/) ||
      stepsOf(facts, 'wait').some(({ endedBy }) => endedBy === 'out of time')
    const text = (facts.document?.markdown ?? '').slice(0, 3000)
    const saysLoading = /\b(loading|please wait|one moment|wird geladen|chargement|cargando)\b/i.test(text)
    const isAsked = speaksOf(
      facts,
      /load(s|ing|ed)? (late|later|slow|lazi|after)|lazy|spinner|loading|placeholder|skeleton|appears? (later|after)|infinite scroll|scroll|dynamic|ajax/i,
    )
    const isThin = (markdownLength(facts) ?? Number.POSITIVE_INFINITY) < 600
    if (!isCut && !saysLoading && !isThin) return undefined
    return {
      sureness: isCut ? 0.88 : saysLoading ? 0.85 : isAsked ? 0.72 : usedBrowser ? 0.55 : 0.45,
      diagnosis:
        isCut || saysLoading
          ? 'The page was still loading its content when it was read.'
          : 'The page adds its content after it has been opened.',
      advice:
        'Wait longer with waitFor, wait for an element with an action, or scroll to the part that loads on sight.',
      fixes: [
        { waitFor: 5000 },
        { waitFor: 12_000 },
        {
          actions: [
            { type: 'scroll', direction: 'down' },
            { type: 'wait', milliseconds: 2000 },
            { type: 'scroll', direction: 'down' },
            { type: 'wait', milliseconds: 2000 },
          ],
        },
      ],
    }
  },
})
