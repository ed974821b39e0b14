import type { z } from 'zod'
import { addBoundIssue, boundedList, boundedText } from '../platform/bounded.ts'
import { bounds } from '../platform/bounds.ts'

/**
 * Checks only the size; a worker thread checks the syntax. Worker threads load `select.ts` without this file, because
 * zod costs 82 ms and 13 MB each.
 */
export const selectorText = boundedText('MAX_SELECTOR_LENGTH').superRefine((selector, context) => {
  if (isDeep(selector)) addBoundIssue('MAX_SELECTOR_DEPTH', context)
})

export const selectorList = boundedList(selectorText.min(1), 'MAX_SELECTORS').superRefine(
  (selectors, context) => {
    if (exceedsTotalLength(selectors)) addBoundIssue('MAX_SELECTORS_LENGTH', context)
  },
)

export function checkTotalLength(items: { selector: string }[], context: z.RefinementCtx): void {
  if (exceedsTotalLength(items.map(({ selector }) => selector)))
    addBoundIssue('MAX_SELECTORS_LENGTH', context)
}

const exceedsTotalLength = (selectors: string[]) =>
  selectors.reduce((sum, { length }) => sum + length, 0) > bounds.MAX_SELECTORS_LENGTH.most

/** Each level of parentheses multiplies the steps of matching and the stack of parsing. */
function isDeep(selector: string): boolean {
  let depth = 0
  for (const character of selector) {
    if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    if (depth > bounds.MAX_SELECTOR_DEPTH.most) return true
  }
  return false
}
