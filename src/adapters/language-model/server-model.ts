import { type CheckAnswer, checkAnswerText } from '../../base/check-answer-text.ts'
import { type StrictSchema, strictSchema } from '../../base/strict-schema.ts'
import { estimateTokens } from '../../base/token-estimate.ts'
import type { SharedModel } from '../../ports/language-model.ts'
import type { AnsweringModel, AnswerRequest, RawAnswer } from './answering-model.ts'
import { checkAnswers } from './check-answers.ts'
import { modelFailure } from './failure.ts'
import type { ModelProtocol, Question, ReadAnswer } from './protocols/protocol.ts'
import { type AnswerConstraints, createRefusals } from './refusals.ts'
import { requestTokens } from './request-tokens.ts'
import { withRetries } from './retry.ts'
import { callServer } from './send.ts'
import { isRefusal, ServerError } from './server-error.ts'
import { soundAnswer } from './sound-answer.ts'

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
      const toTry = refusals.constraintsToTry({
        schema,
        hasStrictForm: strict !== undefined,
        mustCall: mustCall ?? false,
      })
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
  ask: () => Promise<RawAnswer>,
  last: AnswerConstraints | undefined,
): Promise<RawAnswer | undefined> {
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
    const answer = soundAnswer(read, (sound) => estimate(request, sound))
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
function estimate(request: AnswerRequest, { text, calls }: ReadAnswer): RawAnswer['usage'] {
  return {
    inputTokens: requestTokens(request),
    outputTokens: estimateTokens(`${text}${JSON.stringify(calls)}`),
  }
}
