import type { Clock } from '../../base/clock.ts'

/** Answers of the last minutes: the same question again is not asked again. */
export interface RecentAnswers<Answer> {
  find(key: string): Answer | undefined
  keep(key: string, answer: Answer): void
}

const keptMs = 5 * 60_000
const mostKept = 500

export function recentAnswers<Answer>(clock: Clock): RecentAnswers<Answer> {
  const kept = new Map<string, { at: number; answer: Answer }>()
  return {
    find(key) {
      const found = kept.get(key)
      return found && clock.now() - found.at < keptMs ? found.answer : undefined
    },
    keep(key, answer) {
      kept.delete(key)
      kept.set(key, { at: clock.now(), answer })
      for (const oldest of kept.keys()) {
        if (kept.size <= mostKept) break
        kept.delete(oldest)
      }
    },
  }
}
