import { beyond, list, text } from '../../base/bounded.ts'
import { bounds } from '../../base/bounds.ts'
import { patternSize } from './pattern-size.ts'
import { patternProblem } from './patterns.ts'

/**
 * Patterns of a caller: all are measured before the engine reads one. The first that is too much or wrong ends the check, so that
 * a list that is refused costs no more than one that is accepted.
 */
export const patternList = list(text('MAX_PATTERN_LENGTH').min(1), 'MAX_PATTERNS').superRefine(
  (given, context) => {
    let together = 0
    for (const one of given) {
      const size = patternSize(one)
      together += size
      if (size > bounds.MAX_PATTERN_SIZE.most) return beyond('MAX_PATTERN_SIZE', context)
      if (together > bounds.MAX_PATTERNS_SIZE.most) return beyond('MAX_PATTERNS_SIZE', context)
    }
    for (const [index, one] of given.entries()) {
      const problem = patternProblem(one)
      if (problem === undefined) continue
      const message = `"${one}" is not a valid pattern: ${problem}.`
      return context.addIssue({ code: 'custom', path: [index], message })
    }
  },
)
