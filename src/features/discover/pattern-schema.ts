import { beyond, list, text } from '../../base/bounded.ts'
import { bounds } from '../../base/bounds.ts'
import { patternSize } from './pattern-size.ts'

/**
 * Patterns of a caller. Only their sizes are checked here, because validation runs in one turn of the main thread; whether the engine
 * accepts them shows when they are compiled, before a job starts.
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
  },
)
