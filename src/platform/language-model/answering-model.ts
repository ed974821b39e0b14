import { AppError } from '../errors.ts'
import type { Conversation, JsonSchema, TokenMeter, Usage } from '../ports/language-model.ts'
import { estimateTokens } from '../text.ts'

/** What an adapter must provide: one answer to one request, unchecked. */
export interface AnsweringModel {
  name: string
  inputTokens: number
  answer(request: AnswerRequest, signal: AbortSignal): Promise<RawReply>
}

export interface AnswerRequest extends Conversation {
  /** The answer must be a JSON value of this schema. */
  schema?: JsonSchema
  /** 1 when the messages end with a correction of the first answer. */
  attempt: 0 | 1
}

export interface RawReply {
  text: string
  /** Arguments as the model wrote them: an object, or text that is not JSON. */
  calls: { id: string; name: string; arguments: unknown; signature?: string }[]
  /** The answer reached the most tokens that it may have. */
  isCut: boolean
  /** Why the server or the model did not want to answer. */
  refusal: string | undefined
  /** The server itself held the answer to the schema. */
  isStrict: boolean
  usage: Usage
}

/** About how many tokens a server counts in a request. */
export function requestTokens({ system, messages, tools, schema }: Asked): number {
  const said = messages.map((message) =>
    message.role === 'model' ? `${message.text}${JSON.stringify(message.calls)}` : message.text,
  )
  const texts = [system, ...said, JSON.stringify(tools), schema === undefined ? '' : JSON.stringify(schema)]
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
}

export type Asked = Pick<Conversation, 'system' | 'messages' | 'tools'> & { schema?: JsonSchema }

/** Callers cut what they send; this is for what they cannot cut, such as a schema. */
export function rejectOversizedPrompt(request: Asked, most: number): void {
  const tokens = requestTokens(request)
  if (tokens <= most) return
  throw new AppError('MODEL_FAILED', {
    phase: 'model',
    reason: `the request has about ${tokens} tokens, and one call takes ${most}`,
    hint: 'Ask for less at once, with a shorter prompt and schema, or ask the operator to raise MODEL_MAX_TOKENS_PER_CALL.',
  })
}

/** A model whose every answer is counted, also one that turns out to be wrong. */
export function metered(model: AnsweringModel, meter: TokenMeter): AnsweringModel {
  return {
    ...model,
    answer: (request, signal) =>
      meter.count(requestTokens(request), signal, () => model.answer(request, signal)),
  }
}
