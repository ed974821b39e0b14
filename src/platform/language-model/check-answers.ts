import { type CheckAnswer, type CheckedReply, checkAnswerText } from '../check-answer-text.ts'
import { AppError } from '../errors.ts'
import type { MaybePromise } from '../functions.ts'
import { schemaCheck } from '../json/schema-check.ts'
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
  metered,
  type RawReply,
  rejectOversizedPrompt,
} from './answering-model.ts'

/** Turns an adapter into the port: answers are checked, and a wrong one gets one correction. */
export function checkAnswers(
  model: AnsweringModel,
  check: CheckAnswer = checkAnswerText,
  team = '',
): SharedModel {
  const who = { team }
  return {
    name: model.name,
    inputTokens: model.inputTokens,
    metered: (meter, teamId) => checkAnswers(metered(model, meter), check, teamId),
    async write({ system, text }, signal) {
      const request = { system, messages: [{ role: 'user' as const, text }], tools: [] }
      const { good, usage } = await corrected(model, request, signal, checkedText)
      return { text: good, usage }
    },
    async extract({ system, text, schema }, signal) {
      const told = `${system}\n\nAnswer with one JSON value and nothing else. It fits this JSON Schema:\n${JSON.stringify(schema)}`
      const request = { system: told, messages: [{ role: 'user' as const, text }], tools: [], schema }
      const { good, ...rest } = await corrected(model, request, signal, async ({ text, isStrict }) =>
        judgedValue(await check({ text, schema, isStrict }, who, signal)),
      )
      return { value: good, ...rest }
    },
    async step(conversation, signal) {
      const { good, usage } = await corrected(model, conversation, signal, (answer) =>
        checkedCalls(answer, conversation, (given) => check({ ...given, isStrict: false }, who, signal)),
      )
      return { ...good, usage }
    },
  }
}

/** A good answer, or what was wrong with it. */
type Judged<T> = { ok: true; good: T } | Wrong<T>

interface Wrong<T> {
  ok: false
  whole: string
  /** What was wrong with each of its calls. */
  ofCall: ReadonlyMap<string, string>
  /** Not the requested form, but still an answer: it is used if the model gives no better one. */
  words?: T
}

function right<T>(good: T): Judged<T> {
  return { ok: true, good }
}

function wrong(whole: string, ofCall: ReadonlyMap<string, string> = new Map()): Wrong<never> {
  return { ok: false, whole, ofCall }
}

async function corrected<T>(
  model: AnsweringModel,
  request: Conversation & { schema?: JsonSchema },
  signal: AbortSignal,
  judge: (answer: RawReply) => MaybePromise<Judged<T>>,
): Promise<{ good: T; usage: Usage; isStrict: boolean }> {
  rejectOversizedPrompt(request, model.inputTokens)
  const first = await answerOf(model, { ...request, attempt: 0 }, signal)
  const judged = toldOfCut(first, await judge(first))
  if (judged.ok) return { good: judged.good, usage: first.usage, isStrict: first.isStrict }
  const messages = [...request.messages, ...correction(first, judged)]
  const second = await answerOf(model, { ...request, messages, attempt: 1 }, signal)
  const last = toldOfCut(second, await judge(second))
  const { isStrict } = second
  const usage = sum(first.usage, second.usage)
  if (last.ok) return { good: last.good, usage, isStrict }
  // If the model gives an empty answer after a correction, its first answer is used.
  const words = last.words ?? (isSilent(second) ? judged.words : undefined)
  if (words === undefined) throw nonsense(model.name, last.whole, second.isCut)
  return { good: words, usage, isStrict }
}

/** A refusal is not corrected: the model would refuse again. */
async function answerOf(
  model: AnsweringModel,
  request: AnswerRequest,
  signal: AbortSignal,
): Promise<RawReply> {
  const answer = await model.answer(request, signal)
  if (answer.refusal === undefined) return answer
  throw new AppError('MODEL_FAILED', {
    phase: 'model',
    reason: `the model refused to answer: ${answer.refusal.slice(0, 200)}`,
    hint: `The model ${model.name} or its server does not want to answer this. Change the prompt, or ask the operator for another model.`,
  })
}

/** Half of an answer is none, and the model cannot know why it ended. */
function toldOfCut<T>(answer: RawReply, judged: Judged<T>): Judged<T> {
  if (judged.ok || !answer.isCut) return judged
  return wrong('Your answer was too long and was cut off. Answer more briefly.', judged.ofCall)
}

function isSilent({ text, calls }: RawReply): boolean {
  return calls.length === 0 && text.trim() === ''
}

/** The wrong answer and what is wrong with it. Servers require an answer to every call, including the correct ones. */
function correction(
  answer: RawReply,
  found: { whole: string; ofCall: ReadonlyMap<string, string> },
): Message[] {
  const calls = answer.calls.map((call) => ({ ...call, arguments: asArguments(call.arguments) }))
  const said: Message = { role: 'model', text: answer.text, calls }
  if (calls.length === 0) return [said, { role: 'user', text: `${found.whole} Answer again.` }]
  const texts = calls.map((call): Message => {
    const text = found.ofCall.get(call.id) ?? 'Not run, because another call of this answer was wrong.'
    return { role: 'tool', call, text: `${text} Call again.` }
  })
  return [said, ...texts]
}

function checkedText({ text, isCut }: RawReply): Judged<string> {
  if (text.trim() === '') return wrong('Your answer was empty.')
  return isCut ? wrong('Your answer was cut off.') : right(text)
}

function judgedValue(checked: CheckedReply): Judged<unknown> {
  if (checked.ok) return right(checked.json)
  const { fault, words } = checked
  return { ...wrong(fault), ...(words === undefined ? {} : { words }) }
}

type CheckText = (given: { text: string; schema: JsonSchema }) => MaybePromise<CheckedReply>

async function checkedCalls(
  answer: RawReply,
  { tools, mustCall }: Conversation,
  check: CheckText,
): Promise<Judged<Omit<Step, 'usage'>>> {
  if (answer.calls.length === 0) {
    if (isSilent(answer)) return wrong('Your answer was empty.')
    const fault = wrong('You answered without calling a tool. Call one of the tools.')
    if (mustCall) return { ...fault, words: { text: answer.text, calls: [] } }
  }
  const faults = new Map<string, string>()
  const calls: ToolCall[] = []
  for (const call of answer.calls) {
    const tool = tools.find(({ name }) => name === call.name)
    const fault = tool
      ? await argumentFault(tool.schema, call.arguments, check)
      : unknownTool(call.name, tools)
    if (fault === undefined) calls.push({ ...call, arguments: asArguments(call.arguments) })
    else faults.set(call.id, fault)
  }
  const [whole] = faults.values()
  return whole === undefined ? right({ text: answer.text, calls }) : wrong(whole, faults)
}

/** Arguments up to this size are checked at once: the schemas of tools are ours and are compiled once. */
const maxCharactersAtOnce = 16_000

async function argumentFault(
  schema: JsonSchema,
  given: unknown,
  check: CheckText,
): Promise<string | undefined> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'The arguments were not a JSON object.'
  const named = asArguments(given)
  const text = JSON.stringify(named)
  if (text.length > maxCharactersAtOnce) {
    const checked = await check({ text, schema })
    return checked.ok ? undefined : checked.fault
  }
  const faults = schemaCheck(schema)(named)
  return faults === undefined ? undefined : `The arguments do not fit: ${faults}.`
}

function unknownTool(name: string, tools: { name: string }[]): string {
  return `There is no tool ${JSON.stringify(name.slice(0, 100))}. Tools: ${tools.map((tool) => tool.name).join(', ')}.`
}

/** A null argument counts as missing: models write it for optional arguments. */
function asArguments(given: unknown): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { text: String(given) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

function nonsense(name: string, reason: string, isCut: boolean): AppError {
  const way = isCut
    ? 'Ask for less, or ask the operator to raise MODEL_MAX_TOKENS_PER_CALL.'
    : 'Call again, or ask the operator to configure a stronger model.'
  const hint = `The model ${name} gave two invalid answers. ${way}`
  return new AppError('MODEL_FAILED', { phase: 'model', reason, hint })
}

function sum(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  }
}
