import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
} from '@ai-sdk/provider'
import type { LanguageModel, Message, ToolOffer } from '../../ports/language-model.ts'
import { type AnswerRequest, checkAnswers, type RawAnswer } from './check-answers.ts'
import { isRefusal, modelFailure } from './openai-failure.ts'
import { withRetries } from './retry.ts'

export interface OpenAiSettings {
  /** The URL to which `/chat/completions` is appended. */
  url: string
  key: string
  name: string
}

/** Any server with a chat completions API. */
export function openAiModel(settings: OpenAiSettings): LanguageModel {
  const model = createOpenAICompatible({
    name: 'model',
    baseURL: settings.url.replace(/\/+$/, ''),
    apiKey: settings.key,
    supportsStructuredOutputs: true,
  }).chatModel(settings.name)
  const ask = async (request: AnswerRequest, signal: AbortSignal) => {
    const options = { ...toOptions(request), abortSignal: signal }
    return toAnswer(await withRetries(async () => model.doGenerate(options), signal))
  }
  const isPlain = { always: false }
  return checkAnswers({
    name: settings.name,
    async answer(request, signal) {
      try {
        return await withoutExtras(request, isPlain, (asked) => ask(asked, signal))
      } catch (thrown) {
        signal.throwIfAborted()
        throw modelFailure(thrown, settings)
      }
    },
  })
}

/**
 * Some servers reject a schema, or a required tool call. The prompt also states both, so a rejected request is sent
 * once more without them; if that helps, they are omitted from then on.
 */
async function withoutExtras(
  { schema, mustCall, ...plain }: AnswerRequest,
  isPlain: { always: boolean },
  ask: (request: AnswerRequest) => Promise<RawAnswer>,
): Promise<RawAnswer> {
  if (isPlain.always || (schema === undefined && !mustCall)) return ask(plain)
  try {
    return await ask({ ...plain, ...(schema && { schema }), ...(mustCall && { mustCall }) })
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    const answer = await ask(plain)
    isPlain.always = true
    return answer
  }
}

function toOptions(request: AnswerRequest): LanguageModelV4CallOptions {
  return {
    prompt: [{ role: 'system', content: request.system }, ...request.messages.map(toMessage)],
    ...(request.tools.length > 0 && {
      tools: request.tools.map(toTool),
      toolChoice: { type: request.mustCall ? 'required' : 'auto' },
    }),
    ...(request.schema && { responseFormat: { type: 'json', schema: request.schema } }),
    // Strict mode rejects schemas with optional fields, which callers use; answers are checked here.
    providerOptions: { model: { strictJsonSchema: false } },
  }
}

function toTool({ name, description, schema }: ToolOffer): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema: schema }
}

function toMessage(message: Message): LanguageModelV4Message {
  if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: message.text }] }
  if (message.role === 'tool') {
    const { id: toolCallId, name: toolName } = message.call
    const output = { type: 'text' as const, value: message.text }
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
  }
  const calls = message.calls.map(({ id, name, arguments: input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
  }))
  const text = message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]
  return { role: 'assistant', content: [...text, ...calls] }
}

function toAnswer({ content, usage }: LanguageModelV4GenerateResult): RawAnswer {
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    calls: content
      .filter((part) => part.type === 'tool-call')
      .map((call) => ({ id: call.toolCallId, name: call.toolName, arguments: jsonOrText(call.input) })),
    usage: { inputTokens: usage.inputTokens.total ?? 0, outputTokens: usage.outputTokens.total ?? 0 },
  }
}

function jsonOrText(text: string): unknown {
  // Some servers send an empty string for a call without arguments.
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
