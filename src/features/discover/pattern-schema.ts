import { beyond, list, text } from '../../base/bounded.ts'
import { bounds } from '../../base/bounds.ts'
import { patternSize } from './pattern-size.ts'
import { patternProblem } from './patterns.ts'

const pattern = text('MAX_PATTERN_LENGTH')
  .min(1)
  .superRefine((given, context) => {
    if (patternSize(given) > bounds.MAX_PATTERN_SIZE.most) beyond('MAX_PATTERN_SIZE', context)
  })

/** Patterns of a caller's: measured one by one and together, and only then handed to the engine. */
export const patternList = list(pattern, 'MAX_PATTERNS').superRefine((given, context) => {
  const size = given.reduce((sum, one) => sum + patternSize(one), 0)
  if (size > bounds.MAX_PATTERNS_SIZE.most) return beyond('MAX_PATTERNS_SIZE', context)
  for (const [index, one] of given.entries()) {
    const problem = patternProblem(one)
    if (problem === undefined) continue
    const message = `"${one}" is not a valid pattern: ${problem}.`
    context.addIssue({ code: 'custom', path: [index], message })
  }
})
