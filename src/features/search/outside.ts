import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { AskedProvider } from '../../search/providers/ask.ts'
import type { ProviderRequest } from '../../search/providers/provider.ts'
import type { WebAnswer } from '../../search/web/search-providers.ts'

/** Asks one provider on behalf of the caller. */
type AskOutside = (asked: AskedProvider, request: ProviderRequest) => Promise<WebAnswer>

export interface OutsideNeeds {
  clock: Clock
  ask: AskOutside
}

/** Nothing was found because nobody could look: that is not the same as that there is nothing. */
export function refuseSilence(answers: readonly WebAnswer[]): void {
  if (answers.some(({ by }) => by.length > 0)) return
  const failures = [...new Set(answers.flatMap((answer) => answer.failures))]
  const hint =
    'Try again in a few minutes: the providers could not be reached or refused the request. The operator allows more requests with a key in SEARCH_KEYS, and other providers with SEARCH_URLS.'
  throw new AppError('SEARCH_ENGINE_FAILED', { phase: 'search', details: failures, hint })
}

/** Who could not answer, and what those who did could not do. */
export function warningOf(answers: readonly WebAnswer[], more: readonly string[] = []): { warning?: string } {
  const notes = new Set([...answers.flatMap(({ failures, unmet }) => [...failures, ...unmet]), ...more])
  if (notes.size === 0) return {}
  return { warning: [...notes].map((note) => (note.endsWith('.') ? note : `${note}.`)).join(' ') }
}

export function notAvailable(feature: string, hint: string): AppError {
  const message = `Not available on this installation: ${feature}. ${hint}`
  return new AppError('FEATURE_NOT_AVAILABLE', { feature, hint }, { message })
}
