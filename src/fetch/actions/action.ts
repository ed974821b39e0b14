import type { Page } from 'playwright-core'
import type { z } from 'zod'
import type { ActionResults } from '../../content/page.ts'
import { boundedText } from '../../platform/bounded.ts'

/** Dependencies of an action in addition to the page. */
export interface ActionContext {
  /** Collects the results, in the order of the actions. */
  results: ActionResults
  /** Warnings for the caller. */
  warnings: string[]
  /** Maximum duration of the action (ms). */
  timeoutMs: number
  signal: AbortSignal
  /** Runs a function that only waits, so that other pages can use the permit of the page meanwhile. */
  whileWaiting<Result>(wait: () => Promise<Result>): Promise<Result>
}

/** A step that runs on the open page. */
export interface Action<Type extends string, Fields extends z.ZodRawShape> {
  type: Type
  description: string
  /** Alternative names that clients use. */
  aliases?: readonly string[]
  /**
   * True if the action changes the page, so that it is repeated to restore the page; false if it only returns a result.
   */
  isRepeated: boolean
  /** True if unknown fields only cause a warning and are removed, because clients pass on fields of other drivers. */
  toleratesUnknownFields?: true
  fields: Fields
  /** Example values of the required fields. */
  example?: z.input<z.ZodObject<Fields>>
  /** Returns the problem of fields that are valid individually but not together. */
  problemOf?(fields: z.output<z.ZodObject<Fields>>): string | undefined
  /** Returns the time for which the action only waits (ms). */
  waitingTime?(fields: z.output<z.ZodObject<Fields>>): number
  run(page: Page, fields: z.output<z.ZodObject<Fields>>, context: ActionContext): Promise<void>
}

export function defineAction<const Type extends string, Fields extends z.ZodRawShape>(
  action: Action<Type, Fields>,
): Action<Type, Fields> {
  return action
}

export const selector = boundedText('MAX_SELECTOR_LENGTH').min(1)
