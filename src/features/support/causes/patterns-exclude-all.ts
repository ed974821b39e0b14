import { defineCause } from '../cause.ts'
import { optionOf } from '../support-case.ts'

export const patternsExcludeAll = defineCause({
  name: 'patterns-exclude-all',
  find(facts) {
    const { pages } = facts.job ?? {}
    const included = pages?.skipped['include paths'] ?? 0
    const excluded = pages?.skipped['exclude paths'] ?? 0
    if (!pages || included + excluded === 0) return undefined
    const patterns = JSON.stringify(
      optionOf(facts, included >= excluded ? 'includePaths' : 'excludePaths') ?? [],
    )
    return {
      sureness: pages.completed <= 1 ? 0.95 : included + excluded > pages.completed ? 0.7 : 0.3,
      diagnosis: `${included >= excluded ? 'includePaths' : 'excludePaths'} ${patterns.slice(0, 150)} leaves out ${included + excluded} addresses, and ${pages.completed} pages are left.`,
      advice:
        'Patterns are regular expressions on the path (on the whole address with regexOnFullURL: true), without the host; correct them or leave them out.',
      fixes: [{ includePaths: [], excludePaths: [] }, ...(included > 0 ? [{ regexOnFullURL: true }] : [])],
    }
  },
})
