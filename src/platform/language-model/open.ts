import { readFileSync } from 'node:fs'
import { type CheckAnswer, checkAnswerText } from '../check-answer-text.ts'
import type { SharedModel } from '../ports/language-model.ts'
import * as protocols from './protocols/all.ts'
import { scriptedModel, scripts } from './scripted.ts'
import { serverModel } from './server-model.ts'

export interface ModelSettings {
  protocol: string
  /** Undefined where the protocol has an address of its own. */
  url: string | undefined
  key: string
  name: string
  timeoutMs: number
  /** Of input and output together. */
  maxTokensPerCall: number
}

/** The part of the tokens of a call that its answer may have. */
const answerShare = 1 / 5

/** The model that the settings name. */
export function openLanguageModel(
  settings: ModelSettings,
  check: CheckAnswer = checkAnswerText,
): SharedModel {
  const { url, key, name, timeoutMs, maxTokensPerCall } = settings
  const outputTokens = Math.floor(maxTokensPerCall * answerShare)
  const inputTokens = maxTokensPerCall - outputTokens
  if (url?.startsWith('script:'))
    return scriptedModel(readScripts(url.slice('script:'.length)), inputTokens, check)
  const known = Object.values(protocols)
  const protocol = known.find((one) => one.name === settings.protocol)
  if (!protocol) throw new Error(`MODEL_PROTOCOL is none of ${known.map((one) => one.name).join(', ')}`)
  const address = url ?? protocol.address
  if (address === undefined)
    throw new Error(`MODEL_PROTOCOL ${protocol.name} has no address of its own: set MODEL_URL`)
  return serverModel(protocol, { url: address, key, name, timeoutMs, inputTokens, outputTokens }, check)
}

/** At the start, so that a wrong file stops it. */
function readScripts(path: string) {
  const parsed = scripts.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  if (parsed.success) return parsed.data
  throw new Error(`MODEL_URL names a file that is not a valid script: ${parsed.error.message}`)
}
