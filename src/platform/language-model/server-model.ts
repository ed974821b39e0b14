import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type CheckAnswer, checkAnswerText } from '../check-answer-text.ts'
import { AppError } from '../errors.ts'
import { type StrictSchema, strictSchema } from '../json/strict-schema.ts'
import type { JsonSchema, SharedModel, Usage } from '../ports/language-model.ts'
import { stripInternalAddresses } from '../safe-errors.ts'
import { estimateTokens } from '../text.ts'
import { type AnsweringModel, type AnswerRequest, type RawReply, requestTokens } from './answering-model.ts'
import { checkAnswers } from './check-answers.ts'
import {
  type ModelProtocol,
  ownCallId,
  type Question,
  type ReadAnswer,
  type SchemaForm,
} from './protocols/protocol.ts'
import { callServer, isRefusal, ServerError } from './send.ts'

export interface ServerSettings {
  /** The base URL, to which the protocol appends its path. */
  url: string
  key: string
  name: string
  timeoutMs: number
  inputTokens: number
  outputTokens: number
}

/** A model behind a server, whatever its protocol. */
export function serverModel(
  protocol: ModelProtocol,
  settings: ServerSettings,
  check: CheckAnswer = checkAnswerText,
): SharedModel {
  const { name, inputTokens } = settings
  const ask = asker(protocol, settings)
  const refusals = createRefusals()
  const model: AnsweringModel = {
    name,
    inputTokens,
    async answer(request, signal) {
      const { schema, mustCall } = request
      const strict = schema && strictSchema(schema)
      const hasStrictForm = strict !== undefined
      const toTry = refusals.constraintsToTry(schema, { hasStrictForm, mustCall: mustCall ?? false })
      const refused: AnswerConstraints[] = []
      try {
        for (const constraints of toTry) {
          const answer = await askFor(
            constraints,
            () => ask(request, { constraints, strict }, signal),
            toTry.at(-1),
          )
          if (answer) {
            refusals.learn(constraints, refused, schema)
            return answer
          }
          refused.push(constraints)
        }
        throw new Error('the last request is answered or fails')
      } catch (thrown) {
        signal.throwIfAborted()
        throw modelFailure(thrown, { ...settings, title: protocol.title })
      }
    },
  }
  return checkAnswers(model, check)
}

/** Undefined where the server refuses the constraints. All that it may refuse stands in the prompt too, so it is asked with fewer. */
async function askFor(
  constraints: AnswerConstraints,
  ask: () => Promise<RawReply>,
  last: AnswerConstraints | undefined,
): Promise<RawReply | undefined> {
  try {
    return await ask()
  } catch (thrown) {
    if (constraints === last || !isRefusal(thrown)) throw thrown
    return undefined
  }
}

function asker(protocol: ModelProtocol, settings: ServerSettings) {
  const base = settings.url.replace(/\/+$/, '')
  let isNewer = false

  async function send(question: Question, signal: AbortSignal): Promise<ReadAnswer> {
    const { path, headers, body } = protocol.call(question)
    const call = { url: `${base}${path}`, headers, body, timeoutMs: settings.timeoutMs }
    const answer = protocol.read(await withRetries(() => callServer(call, signal), signal), question)
    if (!answer) throw new ServerError(`the answer is not one of a ${protocol.title}`)
    return answer
  }

  return async (
    request: AnswerRequest,
    how: { constraints: AnswerConstraints; strict: StrictSchema | undefined },
    signal: AbortSignal,
  ) => {
    const { constraints } = how
    const question = () => toQuestion(request, { ...how, settings, isNewer })
    const read = await send(question(), signal).catch((thrown: unknown) => {
      if (isNewer || !isRefusal(thrown) || !protocol.newerFields?.test(String(thrown))) throw thrown
      isNewer = true
      return send(question(), signal)
    })
    const answer = repairReply(read, (sound) => estimate(request, sound))
    const isStrict = constraints.schema === 'strict'
    return { ...answer, isStrict }
  }
}

function toQuestion(
  { schema, attempt: _, mustCall: __, ...conversation }: AnswerRequest,
  how: {
    constraints: AnswerConstraints
    strict: StrictSchema | undefined
    settings: ServerSettings
    isNewer: boolean
  },
): Question {
  const { constraints, strict, settings, isNewer } = how
  const rules = constraints.schema === 'strict' ? strict?.rules : schema
  return {
    ...conversation,
    ...{ model: settings.name, key: settings.key, maxOutputTokens: settings.outputTokens, isNewer },
    mustCall: constraints.forcesCall,
    schema: constraints.schema && rules && { form: constraints.schema, rules },
  }
}

/** For servers that count nothing: a budget holds there too. */
function estimate(request: AnswerRequest, { text, calls }: ReadAnswer): RawReply['usage'] {
  return {
    inputTokens: requestTokens(request),
    outputTokens: estimateTokens(`${text}${JSON.stringify(calls)}`),
  }
}

const attempts = 3
/** If the server asks for a longer wait, the caller gets an error instead of waiting. */
const longestWait = 60_000

/** Retries after 429, 5xx and lost connections: after the time in Retry-After, or after 1 and 2 seconds. */
async function withRetries<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (thrown) {
      const isPassing = thrown instanceof ServerError && thrown.isPassing && !isRefusal(thrown)
      if (!isPassing || attempt === attempts) throw thrown
      const wait = thrown.retryAfterMs ?? 1000 * 2 ** (attempt - 1)
      if (wait > longestWait) throw thrown
      await pause(wait, undefined, { signal })
    }
  }
}

/** What a caller may know of a failure: a reason without the key and without places of this network, and what to do. */
function modelFailure(
  thrown: unknown,
  { key, name, title }: { key: string; name: string; title: string },
): AppError {
  const { status, hint } = thrown instanceof ServerError ? thrown : {}
  const said = stripInternalAddresses(thrown instanceof Error ? thrown.message : String(thrown))
  const reason = status === undefined ? said : `status ${status}: ${said}`
  return new AppError('MODEL_FAILED', {
    phase: 'model',
    reason: (key === '' ? reason : reason.replaceAll(key, '[key]')).slice(0, 300),
    hint: hint ?? hintFor(status, { name, title }),
  })
}

function hintFor(status: number | undefined, { name, title }: { name: string; title: string }): string {
  if (status === undefined || (status >= 300 && status < 400))
    return `The model server does not answer as a ${title}. The operator should check MODEL_URL and MODEL_PROTOCOL.`
  if (status === 401 || status === 403)
    return 'The model server rejected the key. The operator should check MODEL_KEY.'
  if (status === 404)
    return `The model server does not know the model ${name}. The operator should check MODEL_URL and MODEL_NAME.`
  if (status === 429) return 'The model server is rate-limited at the moment. Call again later.'
  if (status >= 500) return 'The model server is failing at the moment. Call again later.'
  return 'The model server rejected the request; see reason. The operator should check MODEL_NAME. A shorter page may also help.'
}

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
export function repairReply(answer: ReadAnswer, estimate: (sound: ReadAnswer) => Usage) {
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

/** What a server is asked for beyond the words of the conversation. */
interface AnswerConstraints {
  schema: SchemaForm | undefined
  forcesCall: boolean
}

/** A server that has refused this many schemas and taken none takes none. */
const enough = 3
const maxCached = 1000

/** Remembers, while the process lives, what a server has refused, so that it is not asked for it again. */
function createRefusals() {
  const forms = { strict: formMemory(), loose: formMemory() }
  let mayForce = true
  return {
    /** What to ask for, most first; the last entry has nothing that a server could refuse. */
    constraintsToTry(
      schema: JsonSchema | undefined,
      { hasStrictForm, mustCall }: { hasStrictForm: boolean; mustCall: boolean },
    ): AnswerConstraints[] {
      const plain: AnswerConstraints = { schema: undefined, forcesCall: false }
      if (schema === undefined)
        return mustCall && mayForce ? [{ ...plain, forcesCall: true }, plain] : [plain]
      const possible: SchemaForm[] = hasStrictForm ? ['strict', 'loose'] : ['loose']
      const left = possible.filter((form) => forms[form].mayTake(schema))
      return [...left.map((form): AnswerConstraints => ({ schema: form, forcesCall: false })), plain]
    },
    /** Call it when a request was answered after others were refused. */
    learn(granted: AnswerConstraints, refused: AnswerConstraints[], schema: JsonSchema | undefined): void {
      if (granted.schema) forms[granted.schema].took()
      for (const constraints of refused) {
        if (constraints.forcesCall) mayForce = false
        if (constraints.schema && schema) forms[constraints.schema].refused(schema)
      }
    },
  }
}

/** A refusal may be of this very schema, or of schemas as such. */
function formMemory() {
  const refused = new LRUCache<string, true>({ max: maxCached })
  let hasTaken = false
  return {
    mayTake: (schema: JsonSchema) => (hasTaken || refused.size < enough) && !refused.has(digest(schema)),
    took() {
      hasTaken = true
    },
    refused(schema: JsonSchema) {
      refused.set(digest(schema), true)
    },
  }
}

function digest(schema: JsonSchema): string {
  return createHash('sha256').update(JSON.stringify(schema)).digest('base64')
}
