import { createTeamModels } from '../accounts/team-models.ts'
import type { ModelFinding, ModelState } from '../features/capabilities.ts'
import type { CheckAnswer } from '../platform/check-answer-text.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { LanguageModel, SharedModel } from '../platform/ports/language-model.ts'
import type { Store } from '../store/schema.ts'
import { type Settings, toSettingsError } from './settings.ts'

export type Model = NonNullable<ReturnType<typeof openModel>>

export function openModel(
  settings: Settings,
  shared: SharedModel | undefined,
  deps: { store: Store; clock: Clock; log: Log },
) {
  if (!settings.model || !shared) return undefined
  const { protocol, concurrency, tokensPerTeamPerDay: tokensPerDay } = settings.model
  const { name } = shared
  const forTeam = createTeamModels(shared, { ...deps, tokensPerDay, concurrency })
  // A script needs no connection test and contains no response to one.
  if (isScript(settings)) {
    const fact = { name, protocol: 'a file', state: { is: 'working' as const, isStrict: false } }
    return { forTeam, fact: () => fact, stop() {} }
  }
  const probe = probeModel(shared, deps.log)
  return { forTeam, fact: () => ({ name, protocol, state: probe.state() }), stop: probe.stop }
}

export async function openSharedModel(
  { model }: Settings,
  check?: CheckAnswer,
): Promise<SharedModel | undefined> {
  if (!model) return undefined
  // Loaded only if used: a service without a model should not keep it in memory.
  const { openLanguageModel } = await import('../platform/language-model/open.ts')
  try {
    return openLanguageModel(model, check)
  } catch (thrown) {
    throw toSettingsError(thrown)
  }
}

export const isScript = ({ model }: Settings): boolean => model?.url?.startsWith('script:') ?? false

const testTimeoutMs = 60_000
const retestAfterMs = 60_000

const testPrompt = {
  system: 'This is a test of the connection.',
  text: 'Set ok to true.',
  schema: {
    type: 'object',
    properties: { ok: { type: 'boolean' } },
    required: ['ok'],
    additionalProperties: false,
  },
}

/** Runs in the background: no caller waits for the test or fails because of it. */
function probeModel(model: LanguageModel, log: Log) {
  const stopping = new AbortController()
  let state: ModelState = { is: 'untested' }
  let endedAt = 0
  const runTest = async () => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(testTimeoutMs)])
    const result = await testModel(model, signal)
    state = result
    endedAt = performance.now()
    if (stopping.signal.aborted) return
    const { name } = model
    if (result.is === 'working')
      log.info({ model: name, isStrict: result.isStrict }, 'the language model answers')
    else log.warn({ model: name, reason: result.reason }, 'the language model does not answer')
  }
  void runTest()
  return {
    state(): ModelState {
      if (state.is === 'broken' && performance.now() - endedAt > retestAfterMs) {
        endedAt = performance.now()
        void runTest()
      }
      return state
    },
    stop: () => stopping.abort(),
  }
}

export async function testModel(model: LanguageModel, signal: AbortSignal): Promise<ModelFinding> {
  try {
    const { isStrict } = await model.extract(testPrompt, signal)
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
