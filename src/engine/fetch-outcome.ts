import type { AppError } from '../base/errors.ts'
import type { StorageState } from '../browser/profile/profile-state.ts'
import type { Captures } from '../content/captures.ts'
import type { Page } from '../content/page.ts'

/** An engine's answer. A value, so that trying engine after engine is a loop and not a chain of exceptions. */
export type FetchOutcome =
  | { kind: 'fetched'; page: Page; warnings: string[]; state?: StorageState | undefined }
  /** The address holds a file. A browser can show some and has the bytes of none. */
  | { kind: 'file'; captures: Captures; warnings: string[] }
  | { kind: 'failed'; error: AppError }
