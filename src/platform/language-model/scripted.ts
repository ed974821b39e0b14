import { once } from 'node:events'
import { z } from 'zod'
import { type CheckAnswer, checkAnswerText } from '../check-answer-text.ts'
import { AppError } from '../errors.ts'
import type { Message, SharedModel } from '../ports/language-model.ts'
import type { AnsweringModel, AnswerRequest, RawReply } from './answering-model.ts'
import { checkAnswers } from './check-answers.ts'

const call = z.strictObject({
  name: z.string(),
  arguments: z.union([z.record(z.string(), z.unknown()), z.string()]),
})

const answer = z.strictObject({
  text: z.string().optional(),
  /** Written as JSON text. */
  value: z.unknown().optional(),
  calls: z.array(call).optional(),
  /** Fails with this reason. */
  fails: z.string().optional(),
  /** Ends where the answer may have no more tokens. */
  isCut: z.boolean().optional(),
  /** Refuses to answer, for this reason. */
  refuses: z.string().optional(),
  /** Does not answer until the caller gives up. */
  isSilent: z.boolean().optional(),
})

/** One answer, or two: a wrong one, and the one after the correction. */
const turn = z.union([answer, z.tuple([answer, answer])])

export const scripts = z.array(
  z.strictObject({
    /** The first message must contain this text; a script without it matches every conversation. */
    when: z.string().optional(),
    /** In the order of the conversation; the last one repeats if the conversation is longer. */
    turns: z.array(turn).min(1),
  }),
)

export type Scripts = z.input<typeof scripts>

/**
 * Plays answers from a script: for tests, and to demonstrate a service without a model.
 * `{{pattern}}` in a text is replaced by the match in the latest matching message, or by the group of the pattern, if it has one.
 * So a script can refer to an element by the text of the page, and answer with what it found there.
 */
export function scriptedModel(
  given: Scripts,
  inputTokens = 32_000,
  check: CheckAnswer = checkAnswerText,
): SharedModel {
  const list = scripts.parse(given)
  const model: AnsweringModel = {
    name: 'script',
    inputTokens,
    async answer(request, signal) {
      signal.throwIfAborted()
      const said = nextAnswer(list, request)
      if (said.isSilent)
        await once(new EventTarget(), 'never', { signal }).catch(() => signal.throwIfAborted())
      if (said.fails !== undefined) throw failed(said.fails)
      return played(said, request)
    },
  }
  return checkAnswers(model, check)
}

function nextAnswer(
  list: z.infer<typeof scripts>,
  { messages, attempt }: AnswerRequest,
): z.infer<typeof answer> {
  const opening = messages[0]?.text ?? ''
  const script = list.find(({ when }) => when === undefined || opening.includes(when))
  if (!script) throw failed('no script matches this conversation')
  // The position in the script follows from the conversation, so that many conversations can run at the same time.
  const place = messages.filter(({ role }) => role === 'model').length - attempt
  const found = script.turns[Math.min(place, script.turns.length - 1)]
  const [first, second] = Array.isArray(found) ? found : [found, found]
  const said = attempt === 0 ? first : second
  if (!said) throw failed('the script is empty')
  return said
}

function played(said: z.infer<typeof answer>, { messages }: AnswerRequest): RawReply {
  const text = said.value === undefined ? (said.text ?? '') : JSON.stringify(said.value)
  const calls = (said.calls ?? []).map(({ name, arguments: given }, index) => ({
    id: `call-${messages.length}-${index}`,
    name,
    arguments: filled(given, messages),
  }))
  const length = messages.reduce((sum, message) => sum + message.text.length, 0)
  return {
    text: String(filled(text, messages)),
    calls,
    isCut: said.isCut ?? false,
    refusal: said.refuses,
    isStrict: false,
    usage: { inputTokens: Math.ceil(length / 4), outputTokens: Math.ceil(text.length / 4) },
  }
}

function filled(value: unknown, messages: Message[]): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\{\{(.+?)\}\}/g, (_, pattern: string) => match(pattern, messages))
  if (Array.isArray(value)) return value.map((entry) => filled(entry, messages))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, filled(entry, messages)]))
}

function match(pattern: string, messages: Message[]): string {
  for (const { text } of messages.toReversed()) {
    const found = new RegExp(pattern).exec(text)
    if (found) return found[1] ?? found[0]
  }
  throw failed(`nothing matches ${pattern}`)
}

function failed(reason: string): AppError {
  const hint = 'The model is a script: see the file that MODEL_URL names.'
  return new AppError('MODEL_FAILED', { phase: 'model', reason, hint })
}
