import { z } from 'zod'
import type { Message, ToolCall } from '../../ports/language-model.ts'
import {
  createCallId,
  isOwnCallId,
  type ModelProtocol,
  type Question,
  readArguments,
  toTurns,
} from './protocol.ts'

export const google: ModelProtocol = {
  name: 'google',
  title: 'Google generateContent API',
  address: 'https://generativelanguage.googleapis.com/v1beta',
  call: (question) => ({
    path: `/${modelPath(question.model)}:generateContent`,
    headers: { 'x-goog-api-key': question.key },
    body: {
      ...(question.system !== '' && { systemInstruction: { parts: [{ text: question.system }] } }),
      contents: toTurns(question.messages, 'model', toParts),
      generationConfig: { maxOutputTokens: question.maxOutputTokens, ...schemaFields(question) },
      ...toolFields(question),
    },
  }),
  read(body) {
    const answer = response.safeParse(body).data
    const [candidate] = answer?.candidates ?? []
    const refusal =
      answer?.promptFeedback?.blockReason ?? blockReasons.find((reason) => reason === candidate?.finishReason)
    if (!answer || (!candidate && refusal === undefined)) return undefined
    const parts = (candidate?.content?.parts ?? []).filter(({ thought }) => !thought)
    return {
      text: parts.map(({ text }) => text ?? '').join(''),
      calls: parts.flatMap(({ functionCall, thoughtSignature }) =>
        functionCall ? [toCall(functionCall, thoughtSignature)] : [],
      ),
      isCut: candidate?.finishReason === 'MAX_TOKENS',
      refusal,
      usage: answer.usageMetadata && {
        inputTokens: answer.usageMetadata.promptTokenCount ?? 0,
        outputTokens:
          (answer.usageMetadata.candidatesTokenCount ?? 0) + (answer.usageMetadata.thoughtsTokenCount ?? 0),
      },
    }
  },
}

function modelPath(name: string): string {
  return name.includes('/') ? name : `models/${encodeURIComponent(name)}`
}

/** Older models accept only OpenAPI schemas, which cannot express most schemas of callers. */
function schemaFields({ schema }: Question) {
  if (!schema) return {}
  const responseMimeType = 'application/json'
  return schema.form === 'strict'
    ? { responseMimeType, responseJsonSchema: schema.rules }
    : { responseMimeType }
}

function toolFields({ tools, mustCall }: Question) {
  if (tools.length === 0) return {}
  return {
    tools: [
      {
        functionDeclarations: tools.map(({ name, description, schema }) => ({
          name,
          description,
          parametersJsonSchema: schema,
        })),
      },
    ],
    toolConfig: { functionCallingConfig: { mode: mustCall ? 'ANY' : 'AUTO' } },
  }
}

function toParts(message: Message): object[] {
  const text = message.text === '' ? [] : [{ text: message.text }]
  if (message.role === 'user') return text
  if (message.role === 'tool') {
    const { name } = message.call
    return [{ functionResponse: { ...toIdField(message.call), name, response: { result: message.text } } }]
  }
  return [
    ...text,
    ...message.calls.map(({ signature, ...call }) => ({
      functionCall: { ...toIdField(call), name: call.name, args: call.arguments },
      ...(signature && { thoughtSignature: signature }),
    })),
  ]
}

/** Models that do not assign ids to their calls expect none in a conversation. */
function toIdField({ id }: ToolCall): { id?: string } {
  return isOwnCallId(id) ? {} : { id }
}

const functionCall = z.object({ id: z.string().optional(), name: z.string(), args: z.unknown() })

const response = z.object({
  candidates: z
    .array(
      z.object({
        content: z
          .object({
            parts: z
              .array(
                z.object({
                  text: z.string().optional(),
                  thought: z.boolean().optional(),
                  thoughtSignature: z.string().optional(),
                  functionCall: functionCall.optional(),
                }),
              )
              .optional(),
          })
          .optional(),
        finishReason: z.string().optional(),
      }),
    )
    .optional(),
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
  usageMetadata: z
    .object({
      promptTokenCount: z.number().optional(),
      candidatesTokenCount: z.number().optional(),
      thoughtsTokenCount: z.number().optional(),
    })
    .optional(),
})

function toCall(call: z.infer<typeof functionCall>, signature: string | undefined) {
  return {
    id: call.id ?? createCallId(),
    name: call.name,
    arguments: readArguments(call.args),
    ...(signature && { signature }),
  }
}

const blockReasons = ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'LANGUAGE']
