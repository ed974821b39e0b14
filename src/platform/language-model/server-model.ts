import { hash } from 'node:crypto'
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
  createCallId,
  type ModelProtocol,
  type ParsedAnswer,
  type Question,
  type SchemaForm,
} from './protocols/protocol.ts'
import { callServer, isRejection, ServerError } from './send.ts'

export interface ServerSettings {
  url: string
  key: string
  name: string
  timeoutMs: number
  inputTokens: number
  outputTokens: number
}

export function serverModel(
  protocol: ModelProtocol,
  settings: ServerSettings,
  check: CheckAnswer = checkAnswerText,
): SharedModel {
  const { name, inputTokens } = settings
  const sendRequest = createRequester(protocol, settings)
  const rejections = createRejectionCache()
  const model: AnsweringModel = {
    name,
    inputTokens,
    async answer(request, signal) {
      try {
        return await answerWithConstraints(request, signal)
      } catch (thrown) {
        signal.throwIfAborted()
        throw modelFailure(thrown, { ...settings, title: protocol.title })
      }
    },
  }

  /** The prompt contains the constraints too, so weaker ones can be used if the server rejects these. */
  async function answerWithConstraints(request: AnswerRequest, signal: AbortSignal): Promise<RawReply> {
    const { schema, mustCall = false } = request
    const strict = schema && strictSchema(schema)
    const hasStrictForm = strict !== undefined
    const constraintsList = rejections.constraintsToTry(schema, { hasStrictForm, mustCall })
    const rejected: AnswerConstraints[] = []
    for (const constraints of constraintsList) {
      try {
        const answer = await sendRequest(request, { constraints, strict }, signal)
        rejections.recordOutcome(constraints, rejected, schema)
        return answer
      } catch (thrown) {
        if (constraints === constraintsList.at(-1) || !isRejection(thrown)) throw thrown
        rejected.push(constraints)
      }
    }
    throw new Error('the last request is answered or fails')
  }
  return checkAnswers(model, check)
}

function createRequester(protocol: ModelProtocol, settings: ServerSettings) {
  const base = settings.url.replace(/\/+$/, '')
  let isNewer = false

  async function send(question: Question, signal: AbortSignal): Promise<ParsedAnswer> {
    const { path, headers, body } = protocol.call(question)
    const serverCall = { url: `${base}${path}`, headers, body, timeoutMs: settings.timeoutMs }
    const answer = protocol.read(await withRetries(() => callServer(serverCall, signal), signal), question)
    if (!answer) throw new ServerError(`the answer is not one of a ${protocol.title}`)
    return answer
  }

  function toQuestion(
    { schema, attempt: _, mustCall: __, ...conversation }: AnswerRequest,
    { constraints, strict }: RequestOptions,
  ): Question {
    const rules = constraints.schema === 'strict' ? strict?.rules : schema
    return {
      ...conversation,
      ...{ model: settings.name, key: settings.key, maxOutputTokens: settings.outputTokens, isNewer },
      mustCall: constraints.forcesCall,
      schema: constraints.schema && rules && { form: constraints.schema, rules },
    }
  }

  return async (request: AnswerRequest, options: RequestOptions, signal: AbortSignal) => {
    const rawAnswer = await send(toQuestion(request, options), signal).catch((thrown: unknown) => {
      if (isNewer || !isRejection(thrown) || !protocol.newerFields?.test(String(thrown))) throw thrown
      isNewer = true
      return send(toQuestion(request, options), signal)
    })
    // Servers that do not count tokens get an estimate, so that a budget applies there too.
    const answer = repairReply(rawAnswer, ({ text, calls }) => ({
      inputTokens: requestTokens(request),
      outputTokens: estimateTokens(`${text}${JSON.stringify(calls)}`),
    }))
    return { ...answer, isStrict: options.constraints.schema === 'strict' }
  }
}

interface RequestOptions {
  constraints: AnswerConstraints
  strict: StrictSchema | undefined
}

const maxAttempts = 3
/** If the server requests a longer wait, the caller gets an error instead. */
const maxWaitMs = 60_000

async function withRetries<T>(attemptRequest: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptRequest()
    } catch (thrown) {
      const { isTemporary, retryAfterMs } = thrown instanceof ServerError ? thrown.details : {}
      if (!isTemporary || isRejection(thrown) || attempt === maxAttempts) throw thrown
      const wait = retryAfterMs ?? 1000 * 2 ** (attempt - 1)
      if (wait > maxWaitMs) throw thrown
      await pause(wait, undefined, { signal })
    }
  }
}

/** The reason contains neither the key nor internal addresses. */
function modelFailure(thrown: unknown, { key, name, title }: { key: string; name: string; title: string }) {
  const { status, hint } = thrown instanceof ServerError ? thrown.details : {}
  const message = stripInternalAddresses(thrown instanceof Error ? thrown.message : String(thrown))
  const reason = status === undefined ? message : `status ${status}: ${message}`
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

const maxCalls = 64
const maxArgumentDepth = 32
const maxCountedTokens = 20_000_000

/** Ensures that token counts are valid, each call has its own id, and arguments have a limited depth. */
export function repairReply(answer: ParsedAnswer, estimate: (repaired: ParsedAnswer) => Usage) {
  const usedIds = new Set<string>()
  const calls = answer.calls.slice(0, maxCalls).map((call) => {
    const id = usedIds.has(call.id) || call.id.length > maxIdLength ? createCallId() : call.id
    usedIds.add(id)
    return { ...call, id, arguments: isDeep(call.arguments) ? deepArgumentsText : call.arguments }
  })
  const repaired = { ...answer, calls }
  return { ...repaired, usage: validUsage(answer.usage) ?? estimate(repaired) }
}

const maxIdLength = 1000
/** Not an object, so the arguments are corrected like other invalid ones. */
const deepArgumentsText = 'arguments that are nested too deeply'

function validUsage(usage: Usage | undefined): Usage | undefined {
  if (!usage || !isCount(usage.inputTokens) || !isCount(usage.outputTokens)) return undefined
  return { inputTokens: Math.ceil(usage.inputTokens), outputTokens: Math.ceil(usage.outputTokens) }
}

const isCount = (tokens: number) => tokens >= 0 && tokens <= maxCountedTokens

function isDeep(root: unknown): boolean {
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxArgumentDepth) return true
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return false
}

interface AnswerConstraints {
  schema: SchemaForm | undefined
  forcesCall: boolean
}

/** Number of rejected schemas, with none accepted, after which the server is treated as not supporting schemas. */
const minRejectedSchemas = 3
const maxCached = 1000

function createRejectionCache() {
  const forms = { strict: createFormCache(), loose: createFormCache() }
  let canForceCall = true
  return {
    /** Strongest first. The last entry has no constraint that a server could reject. */
    constraintsToTry(
      schema: JsonSchema | undefined,
      { hasStrictForm, mustCall }: { hasStrictForm: boolean; mustCall: boolean },
    ): AnswerConstraints[] {
      const unconstrained: AnswerConstraints = { schema: undefined, forcesCall: false }
      if (schema === undefined)
        return mustCall && canForceCall
          ? [{ ...unconstrained, forcesCall: true }, unconstrained]
          : [unconstrained]
      const possible: SchemaForm[] = hasStrictForm ? ['strict', 'loose'] : ['loose']
      const candidates = possible.filter((form) => forms[form].maySupport(schema))
      return [
        ...candidates.map((form): AnswerConstraints => ({ schema: form, forcesCall: false })),
        unconstrained,
      ]
    },
    recordOutcome(
      succeeded: AnswerConstraints,
      rejected: AnswerConstraints[],
      schema: JsonSchema | undefined,
    ): void {
      if (succeeded.schema) forms[succeeded.schema].recordAccepted()
      for (const constraints of rejected) {
        if (constraints.forcesCall) canForceCall = false
        if (constraints.schema && schema) forms[constraints.schema].recordRejected(schema)
      }
    },
  }
}

function createFormCache() {
  const rejected = new LRUCache<string, true>({ max: maxCached })
  let hasAccepted = false
  return {
    maySupport: (schema: JsonSchema) =>
      (hasAccepted || rejected.size < minRejectedSchemas) && !rejected.has(digest(schema)),
    recordAccepted() {
      hasAccepted = true
    },
    recordRejected(schema: JsonSchema) {
      rejected.set(digest(schema), true)
    },
  }
}

function digest(schema: JsonSchema): string {
  return hash('sha256', JSON.stringify(schema), 'base64')
}
