import { AppError } from '../errors.ts'
import type { Conversation, JsonSchema, TokenMeter, Usage } from '../ports/language-model.ts'
import { estimateTokens } from '../text.ts'

export interface AnsweringModel {
  name: string
  inputTokens: number
  answer(request: AnswerRequest, signal: AbortSignal): Promise<RawReply>
}

export interface AnswerRequest extends Conversation {
  schema?: JsonSchema
  /** 1 if the messages end with a correction of the first answer. */
  attempt: 0 | 1
}

export interface RawReply {
  text: string
  /** Arguments as the model wrote them: an object, or text that is not JSON. */
  calls: { id: string; name: string; arguments: unknown; signature?: string }[]
  isCut: boolean
  refusal: string | undefined
  isStrict: boolean
  usage: Usage
}

export function requestTokens({ system, messages, tools, schema }: PromptParts): number {
  const messageTexts = messages.map((message) =>
    message.role === 'model' ? `${message.text}${JSON.stringify(message.calls)}` : message.text,
  )
  const texts = [
    system,
    ...messageTexts,
    JSON.stringify(tools),
    schema === undefined ? '' : JSON.stringify(schema),
  ]
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
}

export type PromptParts = Pick<Conversation, 'system' | 'messages' | 'tools'> & { schema?: JsonSchema }

/** Callers cut their input; this is for parts that they cannot cut, such as a schema. */
export function rejectOversizedPrompt(request: PromptParts, maxTokens: number): void {
  const tokens = requestTokens(request)
  if (tokens <= maxTokens) return
  throw new AppError('MODEL_FAILED', {
    phase: 'model',
    reason: `the request has about ${tokens} tokens, and one call takes ${maxTokens}`,
    hint: 'Ask for less at once, with a shorter prompt and schema, or ask the operator to raise MODEL_MAX_TOKENS_PER_CALL.',
  })
}

export function withTokenMeter(model: AnsweringModel, meter: TokenMeter): AnsweringModel {
  return {
    ...model,
    answer: (request, signal) =>
      meter.sendCounted(requestTokens(request), signal, () => model.answer(request, signal)),
  }
}
