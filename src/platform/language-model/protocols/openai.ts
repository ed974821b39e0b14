import { z } from 'zod'
import type { Message, ToolCall } from '../../ports/language-model.ts'
import { createCallId, type ModelProtocol, type Question, readArguments } from './protocol.ts'

export const openai: ModelProtocol = {
  name: 'openai',
  title: 'chat completions API',
  newerFields: /max_completion_tokens/,
  call: (question) => ({
    path: '/chat/completions',
    headers: { authorization: `Bearer ${question.key}` },
    body: {
      model: question.model,
      messages: [{ role: 'system', content: question.system }, ...question.messages.map(toMessage)],
      // Newer models of OpenAI reject the old name, and many other servers support only the old name.
      [question.isNewer ? 'max_completion_tokens' : 'max_tokens']: question.maxOutputTokens,
      ...toolFields(question),
      ...schemaFields(question),
    },
  }),
  read(body) {
    const answer = completion.safeParse(body)
    const [choice] = answer.data?.choices ?? []
    if (!choice) return undefined
    const { message, finish_reason } = choice
    const isFiltered = finish_reason === 'content_filter'
    return {
      // Some servers put the reasoning of a model before its answer.
      text: joinText(message.content).replace(/^\s*<think>[\s\S]*?<\/think>\s*/, ''),
      calls: (message.tool_calls ?? []).map((call) => {
        const signature = call.extra_content?.google?.thought_signature
        return {
          id: call.id || createCallId(),
          name: call.function.name,
          arguments: readArguments(call.function.arguments),
          ...(signature && { signature }),
        }
      }),
      isCut: finish_reason === 'length',
      refusal: message.refusal || (isFiltered ? 'content_filter' : undefined),
      usage: answer.data?.usage && {
        inputTokens: answer.data.usage.prompt_tokens ?? 0,
        outputTokens: answer.data.usage.completion_tokens ?? 0,
      },
    }
  },
}

function toolFields({ tools, mustCall }: Question) {
  if (tools.length === 0) return {}
  return {
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    })),
    tool_choice: mustCall ? 'required' : 'auto',
  }
}

function schemaFields({ schema }: Question) {
  if (!schema) return {}
  const strict = schema.form === 'strict'
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: schema.rules, strict } },
  }
}

function toMessage(message: Message) {
  if (message.role === 'user') return { role: 'user', content: message.text }
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.call.id, content: message.text }
  if (message.calls.length === 0) return { role: 'assistant', content: message.text }
  return { role: 'assistant', content: message.text || null, tool_calls: message.calls.map(toCall) }
}

function toCall({ id, name, arguments: args, signature }: ToolCall) {
  return {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
    // Google models that use this protocol require the signature when the conversation is sent again.
    ...(signature && { extra_content: { google: { thought_signature: signature } } }),
  }
}

const part = z.looseObject({ type: z.string().optional(), text: z.string().optional() })
const content = z.union([z.string(), z.array(part)]).nullish()

const completion = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        content,
        refusal: z.string().nullish(),
        tool_calls: z
          .array(
            z.object({
              id: z.string().nullish(),
              function: z.object({ name: z.string(), arguments: z.unknown() }),
              extra_content: z
                .object({ google: z.object({ thought_signature: z.string().optional() }).optional() })
                .nullish(),
            }),
          )
          .nullish(),
      }),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: z
    .object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() })
    .nullish()
    .transform((usage) => usage ?? undefined),
})

function joinText(value: z.infer<typeof content>): string {
  if (typeof value === 'string') return value
  return (value ?? []).map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join('')
}
