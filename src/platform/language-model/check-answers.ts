import { type CheckAnswer, type CheckedReply, checkAnswerText } from '../check-answer-text.ts'
import { AppError } from '../errors.ts'
import type { MaybePromise } from '../functions.ts'
import { getSchemaCheck } from '../json/schema-check.ts'
import type {
  Conversation,
  JsonSchema,
  Message,
  SharedModel,
  Step,
  ToolCall,
  Usage,
} from '../ports/language-model.ts'
import {
  type AnsweringModel,
  type AnswerRequest,
  type RawReply,
  rejectOversizedPrompt,
  withTokenMeter,
} from './answering-model.ts'

export function checkAnswers(
  model: AnsweringModel,
  check: CheckAnswer = checkAnswerText,
  team = '',
): SharedModel {
  const owner = { team }
  return {
    name: model.name,
    inputTokens: model.inputTokens,
    metered: (meter, teamId) => checkAnswers(withTokenMeter(model, meter), check, teamId),
    async write({ system, text }, signal) {
      const request = { system, messages: [{ role: 'user' as const, text }], tools: [] }
      const { value, usage } = await answerWithCorrection(model, request, signal, checkPlainText)
      return { text: value, usage }
    },
    async extract({ system, text, schema }, signal) {
      const systemPrompt = `${system}\n\nAnswer with one JSON value and nothing else. It fits this JSON Schema:\n${JSON.stringify(schema)}`
      const request = { system: systemPrompt, messages: [{ role: 'user' as const, text }], tools: [], schema }
      const { value, ...rest } = await answerWithCorrection(
        model,
        request,
        signal,
        async ({ text, isStrict }): Promise<CheckResult<unknown>> => {
          const checked = await check({ text, schema, isStrict }, owner, signal)
          return checked.ok ? { ok: true, value: checked.json } : checked
        },
      )
      return { value, ...rest }
    },
    async step(conversation, signal) {
      const { value, usage } = await answerWithCorrection(model, conversation, signal, (answer) =>
        checkCalls(answer, conversation, (argumentText) =>
          check({ ...argumentText, isStrict: false }, owner, signal),
        ),
      )
      return { ...value, usage }
    },
  }
}

type CheckResult<T> = { ok: true; value: T } | InvalidAnswer<T>

interface InvalidAnswer<T> {
  ok: false
  fault: string
  callFaults?: ReadonlyMap<string, string> | undefined
  /** Answer in another form than requested, which is used if the corrected answer is not valid either. */
  plainText?: T
}

function invalidAnswer(fault: string, callFaults?: ReadonlyMap<string, string>): InvalidAnswer<never> {
  return { ok: false, fault, callFaults }
}

async function answerWithCorrection<T>(
  model: AnsweringModel,
  request: Conversation & { schema?: JsonSchema },
  signal: AbortSignal,
  checkReply: (answer: RawReply) => MaybePromise<CheckResult<T>>,
): Promise<{ value: T; usage: Usage; isStrict: boolean }> {
  rejectOversizedPrompt(request, model.inputTokens)
  const first = await requestAnswer(model, { ...request, attempt: 0 }, signal)
  const firstResult = reportCut(first, await checkReply(first))
  if (firstResult.ok) return { value: firstResult.value, usage: first.usage, isStrict: first.isStrict }
  const messages = [...request.messages, ...correctionMessages(first, firstResult)]
  const second = await requestAnswer(model, { ...request, messages, attempt: 1 }, signal)
  const secondResult = reportCut(second, await checkReply(second))
  const { isStrict } = second
  const usage = addUsage(first.usage, second.usage)
  if (secondResult.ok) return { value: secondResult.value, usage, isStrict }
  // If the model gives an empty answer after a correction, its first answer is used.
  const fallback = secondResult.plainText ?? (isEmpty(second) ? firstResult.plainText : undefined)
  if (fallback === undefined) throw invalidAnswersError(model.name, secondResult.fault, second.isCut)
  return { value: fallback, usage, isStrict }
}

/** A refusal is not corrected, because the model would refuse again. */
async function requestAnswer(model: AnsweringModel, request: AnswerRequest, signal: AbortSignal) {
  const answer = await model.answer(request, signal)
  if (answer.refusal === undefined) return answer
  throw new AppError('MODEL_FAILED', {
    phase: 'model',
    reason: `the model refused to answer: ${answer.refusal.slice(0, 200)}`,
    hint: `The model ${model.name} or its server does not want to answer this. Change the prompt, or ask the operator for another model.`,
  })
}

/** Replaces the fault of an answer that was cut off, because the model is not told why its answer ended. */
function reportCut<T>(answer: RawReply, result: CheckResult<T>): CheckResult<T> {
  if (result.ok || !answer.isCut) return result
  return invalidAnswer('Your answer was too long and was cut off. Answer more briefly.', result.callFaults)
}

function isEmpty({ text, calls }: RawReply): boolean {
  return calls.length === 0 && text.trim() === ''
}

/** Servers require a result for each call, even a valid one. */
function correctionMessages(answer: RawReply, { fault, callFaults }: InvalidAnswer<unknown>): Message[] {
  const calls = answer.calls.map((call) => ({ ...call, arguments: toArguments(call.arguments) }))
  const modelMessage: Message = { role: 'model', text: answer.text, calls }
  if (calls.length === 0) return [modelMessage, { role: 'user', text: `${fault} Answer again.` }]
  const texts = calls.map((call): Message => {
    const text = callFaults?.get(call.id) ?? 'Not run, because another call of this answer was wrong.'
    return { role: 'tool', call, text: `${text} Call again.` }
  })
  return [modelMessage, ...texts]
}

function checkPlainText({ text, isCut }: RawReply): CheckResult<string> {
  if (text.trim() === '') return invalidAnswer('Your answer was empty.')
  return isCut ? invalidAnswer('Your answer was cut off.') : { ok: true, value: text }
}

type CheckText = (argumentText: { text: string; schema: JsonSchema }) => MaybePromise<CheckedReply>

async function checkCalls(
  answer: RawReply,
  { tools, mustCall }: Conversation,
  check: CheckText,
): Promise<CheckResult<Omit<Step, 'usage'>>> {
  if (answer.calls.length === 0) {
    if (isEmpty(answer)) return invalidAnswer('Your answer was empty.')
    const withoutCall = invalidAnswer('You answered without calling a tool. Call one of the tools.')
    if (mustCall) return { ...withoutCall, plainText: { text: answer.text, calls: [] } }
  }
  const faults = new Map<string, string>()
  const calls: ToolCall[] = []
  for (const call of answer.calls) {
    const tool = tools.find(({ name }) => name === call.name)
    const fault = tool
      ? await findArgumentFault(tool.schema, call.arguments, check)
      : describeUnknownTool(call.name, tools)
    if (fault === undefined) calls.push({ ...call, arguments: toArguments(call.arguments) })
    else faults.set(call.id, fault)
  }
  const [firstFault] = faults.values()
  return firstFault === undefined
    ? { ok: true, value: { text: answer.text, calls } }
    : invalidAnswer(firstFault, faults)
}

/** Maximum size of arguments that are checked synchronously. The schemas of tools are fixed and compiled once. */
const maxSynchronousCharacters = 16_000

async function findArgumentFault(schema: JsonSchema, value: unknown, check: CheckText) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The arguments were not a JSON object.'
  const argumentsByName = toArguments(value)
  const text = JSON.stringify(argumentsByName)
  if (text.length > maxSynchronousCharacters) {
    const checked = await check({ text, schema })
    return checked.ok ? undefined : checked.fault
  }
  const faults = getSchemaCheck(schema)(argumentsByName)
  return faults === undefined ? undefined : `The arguments do not fit: ${faults}.`
}

function describeUnknownTool(name: string, tools: { name: string }[]): string {
  return `There is no tool ${JSON.stringify(name.slice(0, 100))}. Tools: ${tools.map((tool) => tool.name).join(', ')}.`
}

/** Returns the arguments without null values, which models write for missing optional arguments. */
function toArguments(source: unknown): Record<string, unknown> {
  if (typeof source !== 'object' || source === null || Array.isArray(source)) return { text: String(source) }
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== null))
}

function invalidAnswersError(name: string, reason: string, isCut: boolean): AppError {
  const advice = isCut
    ? 'Ask for less, or ask the operator to raise MODEL_MAX_TOKENS_PER_CALL.'
    : 'Call again, or ask the operator to configure a stronger model.'
  const hint = `The model ${name} gave two invalid answers. ${advice}`
  return new AppError('MODEL_FAILED', { phase: 'model', reason, hint })
}

function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  }
}
