import type { Page } from 'playwright-core'
import type { z } from 'zod'
import { text } from '../../base/bounded.ts'
import type { ActionResults } from '../../content/captures.ts'

/** What an action may use besides the page. */
export interface ActionKit {
  /** Where its results go, in the order of the actions. */
  results: ActionResults
  /** What the caller should know of them. */
  warnings: string[]
  /** How long it may take. */
  timeoutMs: number
  signal: AbortSignal
  /** Runs what only waits; the place of the page may go to others meanwhile. */
  whileWaiting<Result>(wait: () => Promise<Result>): Promise<Result>
}

/** A step run on the open page. */
export interface Action<Type extends string, Fields extends z.ZodRawShape> {
  type: Type
  description: string
  fields: Fields
  run(page: Page, fields: z.output<z.ZodObject<Fields>>, kit: ActionKit): Promise<void>
}

export function defineAction<const Type extends string, Fields extends z.ZodRawShape>(
  action: Action<Type, Fields>,
): Action<Type, Fields> {
  return action
}

export const selector = text('MAX_SELECTOR_LENGTH').min(1)
