import { expectationsOf, markdownOf } from './corpus.ts'
import { checksOf, holds } from './expectation.ts'

export interface Outcome {
  count: number
  /** Failed checks: the page, the kind and the expected text. */
  failed: string[]
}

export function outcomeOf(generator: string): Outcome {
  const outcome: Outcome = { count: 0, failed: [] }
  for (const [page, expectation] of expectationsOf(generator)) {
    const markdown = markdownOf(generator, page, expectation.url)
    for (const check of checksOf(expectation)) {
      outcome.count += 1
      if (!holds(check, markdown)) outcome.failed.push(`${page} ${check.kind}: ${check.wanted}`)
    }
  }
  return outcome
}
