import { readFileSync } from 'node:fs'
import { type CheckAnswer, checkAnswerText } from '../check-answer-text.ts'
import * as protocols from './protocols/all.ts'
import { scriptedModel, scripts } from './scripted.ts'
import { serverModel } from './server-model.ts'

export interface ModelSettings {
  protocol: string
  url: string | undefined
  key: string
  name: string
  timeoutMs: number
  maxTokensPerCall: number
}

const answerShare = 1 / 5

export function openLanguageModel(settings: ModelSettings, check: CheckAnswer = checkAnswerText) {
  const { url, key, name, timeoutMs, maxTokensPerCall } = settings
  const outputTokens = Math.floor(maxTokensPerCall * answerShare)
  const inputTokens = maxTokensPerCall - outputTokens
  if (url?.startsWith('script:'))
    return scriptedModel(readScripts(url.slice('script:'.length)), inputTokens, check)
  const available = Object.values(protocols)
  const protocol = available.find((candidate) => candidate.name === settings.protocol)
  if (!protocol)
    throw new Error(`MODEL_PROTOCOL is none of ${available.map((candidate) => candidate.name).join(', ')}`)
  const baseUrl = url ?? protocol.address
  if (baseUrl === undefined)
    throw new Error(`MODEL_PROTOCOL ${protocol.name} has no address of its own: set MODEL_URL`)
  return serverModel(protocol, { url: baseUrl, key, name, timeoutMs, inputTokens, outputTokens }, check)
}

function readScripts(path: string) {
  const parsed = scripts.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  if (parsed.success) return parsed.data
  throw new Error(`MODEL_URL names a file that is not a valid script: ${parsed.error.message}`)
}
