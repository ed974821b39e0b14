import type { Log } from '../base/log.ts'
import type { ModelFinding, ModelState } from '../features/capabilities.ts'
import type { LanguageModel } from '../ports/language-model.ts'

export interface ModelProbe {
  /** What the last test found. */
  state(): ModelState
  stop(): void
}

/** A server that loads its model with the first call takes a while. */
const longest = 60_000
/** So long after a failure, somebody who asks starts a new test. */
const oldMs = 60_000

const question = {
  system: 'This is a test of the connection.',
  text: 'Set ok to true.',
  schema: {
    type: 'object',
    properties: { ok: { type: 'boolean' } },
    required: ['ok'],
    additionalProperties: false,
  },
}

/** Asks the model for one small value, in the background: nothing waits for it, and nothing fails because of it. */
export function probeModel(model: LanguageModel, log: Log): ModelProbe {
  const stopping = new AbortController()
  let state: ModelState = { is: 'untested' }
  let endedAt = 0
  const test = async () => {
    const found = await testModel(model, AbortSignal.any([stopping.signal, AbortSignal.timeout(longest)]))
    state = found
    endedAt = performance.now()
    if (stopping.signal.aborted) return
    const { name } = model
    if (found.is === 'working')
      log.info({ model: name, isStrict: found.isStrict }, 'the language model answers')
    else log.warn({ model: name, reason: found.reason }, 'the language model does not answer')
  }
  void test()
  return {
    state() {
      if (state.is === 'broken' && performance.now() - endedAt > oldMs) {
        endedAt = performance.now()
        void test()
      }
      return state
    },
    stop: () => stopping.abort(),
  }
}

export async function testModel(model: LanguageModel, signal: AbortSignal): Promise<ModelFinding> {
  try {
    const { isStrict } = await model.extract(question, signal)
    return { is: 'working', isStrict }
  } catch (thrown) {
    return { is: 'broken', reason: reasonOf(thrown, signal) }
  }
}

function reasonOf(thrown: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'no answer in time'
  const detail = thrown instanceof Error && 'detail' in thrown ? Object(thrown.detail) : {}
  if (typeof detail.reason !== 'string') return thrown instanceof Error ? thrown.message : String(thrown)
  return typeof detail.hint === 'string' ? `${detail.reason}. ${detail.hint}` : detail.reason
}
