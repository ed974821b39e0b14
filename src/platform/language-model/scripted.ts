import { once } from 'node:events'
import { z } from 'zod'
import { type CheckAnswer, checkAnswerText } from '../check-answer-text.ts'
import { AppError } from '../errors.ts'
import type { Message } from '../ports/language-model.ts'
import type { AnsweringModel, AnswerRequest, RawReply } from './answering-model.ts'
import { checkAnswers } from './check-answers.ts'

const call = z.strictObject({
  name: z.string(),
  arguments: z.union([z.record(z.string(), z.unknown()), z.string()]),
})

const answer = z.strictObject({
  text: z.string().optional(),
  value: z.unknown().optional(),
  calls: z.array(call).optional(),
  fails: z.string().optional(),
  isCut: z.boolean().optional(),
  refuses: z.string().optional(),
  isSilent: z.boolean().optional(),
})

/** Turn with one answer, or with two answers: an invalid answer, and the answer after its correction. */
const turn = z.union([answer, z.tuple([answer, answer])])

export const scripts = z.array(
  z.strictObject({
    /** Text that the first message must contain. A script without it matches every conversation. */
    when: z.string().optional(),
    /** Turns in the order of the conversation. The last turn repeats if the conversation is longer. */
    turns: z.array(turn).min(1),
  }),
)

export type Scripts = z.infer<typeof scripts>

/** `{{pattern}}` in a text is replaced by the match, or its group, in the latest matching message. */
export function scriptedModel(
  scriptList: Scripts,
  inputTokens = 32_000,
  check: CheckAnswer = checkAnswerText,
) {
  const model: AnsweringModel = {
    name: 'script',
    inputTokens,
    async answer(request, signal) {
      signal.throwIfAborted()
      const scriptedAnswer = nextAnswer(scriptList, request)
      if (scriptedAnswer.isSilent)
        await once(new EventTarget(), 'never', { signal }).catch(() => signal.throwIfAborted())
      if (scriptedAnswer.fails !== undefined) throw scriptError(scriptedAnswer.fails)
      return toReply(scriptedAnswer, request)
    },
  }
  return checkAnswers(model, check)
}

function nextAnswer(scriptList: Scripts, { messages, attempt }: AnswerRequest) {
  const opening = messages[0]?.text ?? ''
  const script = scriptList.find(({ when }) => when === undefined || opening.includes(when))
  if (!script) throw scriptError('no script matches this conversation')
  // The position in the script follows from the conversation, so that many conversations can run at the same time.
  const turnIndex = messages.filter(({ role }) => role === 'model').length - attempt
  const selectedTurn = script.turns[Math.min(turnIndex, script.turns.length - 1)]
  const [first, second] = Array.isArray(selectedTurn) ? selectedTurn : [selectedTurn, selectedTurn]
  const scriptedAnswer = attempt === 0 ? first : second
  if (!scriptedAnswer) throw scriptError('the script is empty')
  return scriptedAnswer
}

function toReply(scriptedAnswer: z.infer<typeof answer>, { messages }: AnswerRequest): RawReply {
  const text =
    scriptedAnswer.value === undefined ? (scriptedAnswer.text ?? '') : JSON.stringify(scriptedAnswer.value)
  const calls = (scriptedAnswer.calls ?? []).map(({ name, arguments: args }, index) => ({
    id: `call-${messages.length}-${index}`,
    name,
    arguments: fillPlaceholders(args, messages),
  }))
  const length = messages.reduce((sum, message) => sum + message.text.length, 0)
  return {
    text: String(fillPlaceholders(text, messages)),
    calls,
    isCut: scriptedAnswer.isCut ?? false,
    refusal: scriptedAnswer.refuses,
    isStrict: false,
    usage: { inputTokens: Math.ceil(length / 4), outputTokens: Math.ceil(text.length / 4) },
  }
}

function fillPlaceholders(value: unknown, messages: Message[]): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\{\{(.+?)\}\}/g, (_, pattern: string) => findMatch(pattern, messages))
  if (Array.isArray(value)) return value.map((entry) => fillPlaceholders(entry, messages))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, fillPlaceholders(entry, messages)]),
  )
}

function findMatch(pattern: string, messages: Message[]): string {
  for (const { text } of messages.toReversed()) {
    const result = new RegExp(pattern).exec(text)
    if (result) return result[1] ?? result[0]
  }
  throw scriptError(`nothing matches ${pattern}`)
}

function scriptError(reason: string): AppError {
  const hint = 'The model is a script: see the file that MODEL_URL names.'
  return new AppError('MODEL_FAILED', { phase: 'model', reason, hint })
}
