import type { z } from 'zod'
import { beyond, list, text } from '../platform/bounded.ts'
import { bounds } from '../platform/bounds.ts'

/**
 * A CSS selector of a caller, checked for its size only. Whether it is one is found out in a worker thread. This file is not part
 * of `select.ts`, which worker threads load: they would load zod with it, 82 ms and 13 MB each.
 */
export const selectorText = text('MAX_SELECTOR_LENGTH').superRefine((selector, context) => {
  if (isDeep(selector)) beyond('MAX_SELECTOR_DEPTH', context)
})

export const selectorList = list(selectorText.min(1), 'MAX_SELECTORS').superRefine((given, context) => {
  if (tooLongTogether(given)) beyond('MAX_SELECTORS_LENGTH', context)
})

export function checkTogetherLength(given: { selector: string }[], context: z.RefinementCtx): void {
  if (tooLongTogether(given.map(({ selector }) => selector))) beyond('MAX_SELECTORS_LENGTH', context)
}

function tooLongTogether(selectors: string[]): boolean {
  return selectors.reduce((sum, { length }) => sum + length, 0) > bounds.MAX_SELECTORS_LENGTH.most
}

/** Each pair of brackets inside another multiplies the steps that a search takes, and the stack that reading takes. */
function isDeep(selector: string): boolean {
  let depth = 0
  for (const character of selector) {
    if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    if (depth > bounds.MAX_SELECTOR_DEPTH.most) return true
  }
  return false
}
