import type { Page } from 'playwright-core'
import type { z } from 'zod'
import type { ActionResults } from '../../content/page.ts'
import { text } from '../../platform/bounded.ts'

/** What an action may use besides the page. */
export interface ActionContext {
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
  /** Other names that clients know it by. */
  aliases?: readonly string[]
  /** Whether it changes the page, so that it is done again where the page is opened as it was; else it only brings something back. */
  isRepeated: boolean
  /** Unknown fields are taken out of a request and named in its warning: clients pass on those of other drivers. */
  toleratesFields?: true
  fields: Fields
  /** Fields of an example, for those that it cannot do without. */
  example?: z.input<z.ZodObject<Fields>>
  /** What is wrong with fields that are each right. */
  problemOf?(fields: z.output<z.ZodObject<Fields>>): string | undefined
  /** How long it only waits (ms). */
  waitingTime?(fields: z.output<z.ZodObject<Fields>>): number
  run(page: Page, fields: z.output<z.ZodObject<Fields>>, kit: ActionContext): Promise<void>
}

export function defineAction<const Type extends string, Fields extends z.ZodRawShape>(
  action: Action<Type, Fields>,
): Action<Type, Fields> {
  return action
}

export const selector = text('MAX_SELECTOR_LENGTH').min(1)
