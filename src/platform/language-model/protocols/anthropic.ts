import { z } from 'zod'
import type { Message } from '../../ports/language-model.ts'
import { type ModelProtocol, type ParsedAnswer, type Question, readArguments, toTurns } from './protocol.ts'

export const anthropic: ModelProtocol = {
  name: 'anthropic',
  title: 'Anthropic messages API',
  address: 'https://api.anthropic.com/v1',
  call: (question) => ({
    path: '/messages',
    headers: { 'x-api-key': question.key, 'anthropic-version': '2023-06-01' },
    body: {
      model: question.model,
      max_tokens: question.maxOutputTokens,
      ...(question.system !== '' && { system: question.system }),
      messages: toTurns(question.messages, 'assistant', toBlocks).map(({ role, parts }) => ({
        role,
        content: parts,
      })),
      ...toolFields(question),
      ...schemaFields(question),
    },
  }),
  read(body, { schema }) {
    const answer = message.safeParse(body).data
    if (!answer) return undefined
    const { content, stop_reason, usage } = answer
    return {
      ...(schema?.form === 'loose' ? answerCall(content) : textAndCalls(content)),
      isCut: stop_reason === 'max_tokens',
      refusal: stop_reason === 'refusal' ? 'refusal' : undefined,
      usage: usage && {
        inputTokens:
          usage.input_tokens +
          (usage.cache_creation_input_tokens ?? 0) +
          (usage.cache_read_input_tokens ?? 0),
        outputTokens: usage.output_tokens,
      },
    }
  },
}

/** Tool whose arguments are the answer, for models that support no other constraint to a schema. */
const answerTool = 'answer'

function toolFields({ tools, mustCall }: Question) {
  if (tools.length === 0) return {}
  return {
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    tool_choice: { type: mustCall ? 'any' : 'auto' },
  }
}

function schemaFields({ schema }: Question) {
  if (!schema) return {}
  if (schema.form === 'strict')
    return { output_config: { format: { type: 'json_schema', schema: schema.rules } } }
  return {
    tools: [{ name: answerTool, description: 'Takes the answer.', input_schema: schema.rules }],
    tool_choice: { type: 'tool', name: answerTool },
  }
}

function toBlocks(sentMessage: Message): object[] {
  const text = sentMessage.text === '' ? [] : [{ type: 'text', text: sentMessage.text }]
  if (sentMessage.role === 'user') return text
  if (sentMessage.role === 'tool')
    return [{ type: 'tool_result', tool_use_id: sentMessage.call.id, content: sentMessage.text }]
  return [
    ...text,
    ...sentMessage.calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input })),
  ]
}

const block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  // Reasoning and other blocks are not requested, so they are ignored.
  z.looseObject({ type: z.string() }).transform(() => ({ type: 'other' as const })),
])

type Block = z.infer<typeof block>

const message = z.object({
  content: z.array(block),
  stop_reason: z.string().nullish(),
  usage: z
    .object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      cache_creation_input_tokens: z.number().nullish(),
      cache_read_input_tokens: z.number().nullish(),
    })
    .optional(),
})

function textAndCalls(content: Block[]): Pick<ParsedAnswer, 'text' | 'calls'> {
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    calls: content
      .filter((part) => part.type === 'tool_use')
      .map(({ id, name, input }) => ({ id, name, arguments: readArguments(input) })),
  }
}

function answerCall(content: Block[]): Pick<ParsedAnswer, 'text' | 'calls'> {
  const call = content.find((part) => part.type === 'tool_use')
  if (!call) return textAndCalls(content)
  return { text: JSON.stringify(readArguments(call.input)), calls: [] }
}
