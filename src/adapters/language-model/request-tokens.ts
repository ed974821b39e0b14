import { AppError } from '../../base/errors.ts'
import { estimateTokens } from '../../base/token-estimate.ts'
import type { Conversation, JsonSchema } from '../../ports/language-model.ts'

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
export function refuseLong(request: Asked, most: number): void {
  const tokens = requestTokens(request)
  if (tokens <= most) return
  throw new AppError('MODEL_FAILED', {
    phase: 'model',
    reason: `the request has about ${tokens} tokens, and one call takes ${most}`,
    hint: 'Ask for less at once, with a shorter prompt and schema, or ask the operator to raise MODEL_MAX_TOKENS_PER_CALL.',
  })
}
