import { readFileSync } from 'node:fs'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { OpenAiSettings } from './openai.ts'
import { scriptedModel, scripts } from './scripted.ts'

/** The model that the settings name. The library behind an endpoint is loaded with the first call that needs it. */
export function openLanguageModel(settings: OpenAiSettings): LanguageModel {
  const { url } = settings
  if (url.startsWith('script:')) return scriptedModel(readScripts(url.slice('script:'.length)))
  let opened: Promise<LanguageModel> | undefined
  const open = () => {
    opened ??= import('./openai.ts').then(({ openAiModel }) => openAiModel(settings))
    return opened
  }
  return {
    name: settings.name,
    write: async (prompt, signal) => (await open()).write(prompt, signal),
    extract: async (prompt, signal) => (await open()).extract(prompt, signal),
    step: async (conversation, signal) => (await open()).step(conversation, signal),
  }
}

/** At the start, so that a wrong file stops it. */
function readScripts(path: string) {
  const parsed = scripts.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  if (parsed.success) return parsed.data
  throw new Error(`MODEL_URL names a file that is not a valid script: ${parsed.error.message}`)
}
