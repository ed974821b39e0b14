import { bounds, exceeds } from '../../base/bounds.ts'
import { AppError } from '../../base/errors.ts'

/** For one address; sensible patterns take some microseconds. */
const mostMs = bounds.MAX_PATTERN_MS.most
/** A machine that pauses makes one address slow, patterns make many of them so. */
const leastSlow = 10
const slowShare = 0.1

/**
 * Matching takes time in proportion to the patterns and the address, and there are patterns that make the most of both. A site
 * has a million addresses, so patterns that prove slow end the job before they hold up everybody else's.
 */
export function patternBudget(clock: () => number = () => performance.now()) {
  let slow = 0
  let addresses = 0
  return {
    spend<Result>(work: () => Result): Result {
      if (slow >= leastSlow && slow > slowShare * addresses) throw tooSlow()
      const began = clock()
      try {
        return work()
      } finally {
        if (clock() - began > mostMs) slow += 1
        addresses += 1
      }
    },
  }
}

function tooSlow(): AppError {
  const message = `includePaths and excludePaths take too long for each URL. ${exceeds('MAX_PATTERN_MS')}`
  return new AppError('BAD_REQUEST', { bound: 'MAX_PATTERN_MS', most: mostMs, details: [] }, { message })
}
