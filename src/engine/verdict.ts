import type { AppError } from '../base/errors.ts'
import type { Page } from '../content/page.ts'

/** An engine's answer. A value, so that the ladder is a loop and not a chain of exceptions. */
export type Verdict =
  | { kind: 'good'; page: Page; warnings: string[] }
  | { kind: 'blocked'; page: Page; reason: string }
  | { kind: 'needs-browser'; page: Page; reason: string }
  | { kind: 'failed'; error: AppError }
