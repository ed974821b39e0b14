import { teamModels } from '../accounts/team-models.ts'
import type { CheckAnswer } from '../base/check-answer-text.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Trace } from '../base/trace/trace.ts'
import type { CapabilityFacts } from '../features/capabilities.ts'
import type { LanguageModel, SharedModel } from '../ports/language-model.ts'
import { type Settings, SettingsError } from '../settings.ts'
import type { Store } from '../store/schema.ts'
import { probeModel } from './probe-model.ts'

export interface Model {
  of(teamId: string, trace?: Trace): LanguageModel
  fact(): CapabilityFacts['model']
  stop(): void
}

interface ModelNeeds {
  store: Store
  clock: Clock
  log: Log
}

/** The language model for all teams, tested in the background; undefined if none is configured. */
export function openModel(
  settings: Settings,
  shared: SharedModel | undefined,
  needs: ModelNeeds,
): Model | undefined {
  if (!settings.model || !shared) return undefined
  const { protocol, concurrency, tokensPerTeamPerDay: tokensPerDay } = settings.model
  const { name } = shared
  const of = teamModels(shared, { ...needs, tokensPerDay, concurrency })
  // A script has no answer to a test, and nothing to be reached.
  if (isScript(settings)) {
    const played = { name, protocol: 'a file', state: { is: 'working' as const, isStrict: false } }
    return { of, fact: () => played, stop() {} }
  }
  const probe = probeModel(shared, needs.log)
  return { of, fact: () => ({ name, protocol, state: probe.state() }), stop: probe.stop }
}

/** What is wrong with its settings ends the start; a server that does not answer does not. */
export async function openSharedModel(
  { model }: Settings,
  check?: CheckAnswer,
): Promise<SharedModel | undefined> {
  if (!model) return undefined
  // Loaded only when used: a service without a model should not keep it in memory.
  const { openLanguageModel } = await import('../adapters/language-model/open.ts')
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
