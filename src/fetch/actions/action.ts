import type { Page } from 'playwright-core'
import type { z } from 'zod'
import type { ActionResults } from '../../content/page.ts'
import { boundedText } from '../../platform/bounded.ts'

export interface ActionContext {
  results: ActionResults
  warnings: string[]
  timeoutMs: number
  signal: AbortSignal
  whileWaiting<Result>(wait: () => Promise<Result>): Promise<Result>
}

export interface Action<Type extends string, Fields extends z.ZodRawShape> {
  type: Type
  description: string
  aliases?: readonly string[]
  /** The action changes the page, so it is repeated to restore the page; others only return a result. */
  isRepeated: boolean
  /** Clients pass on fields of other drivers, so unknown fields only cause a warning. */
  toleratesUnknownFields?: true
  fields: Fields
  example?: z.input<z.ZodObject<Fields>>
  problemOf?(fields: z.output<z.ZodObject<Fields>>): string | undefined
  waitingTime?(fields: z.output<z.ZodObject<Fields>>): number
  run(page: Page, fields: z.output<z.ZodObject<Fields>>, context: ActionContext): Promise<void>
}

export function defineAction<const Type extends string, Fields extends z.ZodRawShape>(
  action: Action<Type, Fields>,
): Action<Type, Fields> {
  return action
}

export const selector = boundedText('MAX_SELECTOR_LENGTH').min(1)
