import type { Conversation, JsonSchema, Usage } from '../../ports/language-model.ts'

/** What an adapter must provide: one answer to one request, unchecked. */
export interface AnsweringModel {
  name: string
  inputTokens: number
  answer(request: AnswerRequest, signal: AbortSignal): Promise<RawAnswer>
}

export interface AnswerRequest extends Conversation {
  /** The answer must be a JSON value of this schema. */
  schema?: JsonSchema
  /** 1 when the messages end with a correction of the first answer. */
  attempt: 0 | 1
}

export interface RawAnswer {
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
