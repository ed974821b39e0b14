import { createTeamModels } from '../accounts/team-models.ts'
import type { CapabilityFacts, ModelFinding, ModelState } from '../features/capabilities.ts'
import type { CheckAnswer } from '../platform/check-answer-text.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { LanguageModel, SharedModel } from '../platform/ports/language-model.ts'
import type { Trace } from '../platform/trace/trace.ts'
import type { Store } from '../store/schema.ts'
import { type Settings, SettingsError } from './settings.ts'

export interface Model {
  of(teamId: string, trace?: Trace): LanguageModel
  fact(): CapabilityFacts['model']
  stop(): void
}

interface ModelDeps {
  store: Store
  clock: Clock
  log: Log
}

/** The language model for all teams, tested in the background; undefined if none is configured. */
export function openModel(
  settings: Settings,
  shared: SharedModel | undefined,
  deps: ModelDeps,
): Model | undefined {
  if (!settings.model || !shared) return undefined
  const { protocol, concurrency, tokensPerTeamPerDay: tokensPerDay } = settings.model
  const { name } = shared
  const of = createTeamModels(shared, { ...deps, tokensPerDay, concurrency })
  // A script has no answer to a test, and nothing to be reached.
  if (isScript(settings)) {
    const played = { name, protocol: 'a file', state: { is: 'working' as const, isStrict: false } }
    return { of, fact: () => played, stop() {} }
  }
  const probe = probeModel(shared, deps.log)
  return { of, fact: () => ({ name, protocol, state: probe.state() }), stop: probe.stop }
}

/** What is wrong with its settings ends the start; a server that does not answer does not. */
export async function openSharedModel(
  { model }: Settings,
  check?: CheckAnswer,
): Promise<SharedModel | undefined> {
  if (!model) return undefined
  // Loaded only when used: a service without a model should not keep it in memory.
  const { openLanguageModel } = await import('../platform/language-model/open.ts')
  try {
    return openLanguageModel(model, check)
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    throw new SettingsError(`The settings are invalid:\n  ${why}`)
  }
}

export function isScript({ model }: Settings): boolean {
  return model?.url?.startsWith('script:') ?? false
}

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
