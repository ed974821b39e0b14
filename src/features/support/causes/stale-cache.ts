import { defineCause } from '../cause.ts'
import { speaksOf, stepsOf } from '../support-case.ts'

export const staleCache = defineCause({
  name: 'stale-cache',
  find(facts) {
    const hit = stepsOf(facts, 'cache').find(({ result }) => result === 'hit')
    if (!hit) return undefined
    const minutes = Math.round((facts.now - (hit.fetchedAt ?? facts.now)) / 60_000)
    const isAsked = speaksOf(
      facts,
      /\bold\b|stale|outdated|out of date|yesterday|cache|not (up to date|updated|current|fresh)|(has|have) changed|previous|still (says|shows|has)|version|publish|again|same (result|content|data)|update|latest|newest|fresh/i,
    )
    return {
      sureness: isAsked ? 0.93 : 0.45,
      diagnosis: `The page came from the cache, where it was put ${minutes} minutes before this question.`,
      advice: 'maxAge: 0 fetches it anew; a smaller maxAge accepts only younger copies.',
      fixes: [{ maxAge: 0 }],
    }
  },
})
