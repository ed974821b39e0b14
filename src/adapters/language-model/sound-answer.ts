import type { Usage } from '../../ports/language-model.ts'
import { ownCallId, type ReadAnswer } from './protocols/protocol.ts'

/** Calls of one answer that are looked at; further ones are dropped. */
const maxCalls = 64
/** Levels of objects and lists in the arguments of a call. */
const maxArgumentDepth = 32
/** More tokens than any server counts for one call. */
const maxCountedTokens = 20_000_000

/**
 * An answer of a server in a form that the rest of the service can rely on: counts of tokens that can be added up, calls
 * with one id each, and arguments of bounded depth. Counts that no server can mean are replaced by the estimate.
 */
export function soundAnswer(answer: ReadAnswer, estimate: (sound: ReadAnswer) => Usage) {
  const seen = new Set<string>()
  const calls = answer.calls.slice(0, maxCalls).map((call) => {
    const id = seen.has(call.id) || call.id.length > maxIdLength ? ownCallId() : call.id
    seen.add(id)
    return { ...call, id, arguments: isDeep(call.arguments) ? tooDeep : call.arguments }
  })
  const sound = { ...answer, calls }
  return { ...sound, usage: soundUsage(answer.usage) ?? estimate(sound) }
}

const maxIdLength = 1000
/** Text instead of an object: it is corrected like other arguments that cannot be used. */
const tooDeep = 'arguments that are nested too deeply'

function soundUsage(usage: Usage | undefined): Usage | undefined {
  if (!usage || !isCount(usage.inputTokens) || !isCount(usage.outputTokens)) return undefined
  return { inputTokens: Math.ceil(usage.inputTokens), outputTokens: Math.ceil(usage.outputTokens) }
}

const isCount = (tokens: number) => tokens >= 0 && tokens <= maxCountedTokens

function isDeep(given: unknown): boolean {
  let level: unknown[] = [given]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxArgumentDepth) return true
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return false
}
