import { LLMock } from '@copilotkit/aimock'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { languageModelContract } from '../../../../test/contracts/language-model.ts'
import type { Message } from '../../ports/language-model.ts'
import type { Scripts } from '../scripted.ts'
import { serverModel } from '../server-model.ts'
import * as protocols from './all.ts'
import type { ModelProtocol, Question } from './protocol.ts'

type Answer = Extract<Scripts[number]['turns'][number], { text?: string | undefined }>

const key = 'key-of-the-operator-71'
const limits = { timeoutMs: 30_000, inputTokens: 32_000, outputTokens: 8000 }
const prompt = { system: 'Be brief.', text: 'Where is the harbour?' }
const timeoutSignal = () => AbortSignal.timeout(60_000)
const allProtocols = Object.values(protocols).map((protocol) => [protocol.name, protocol] as const)

const getPath = (protocol: ModelProtocol) => (protocol.name === 'google' ? '/v1beta' : '/v1/')

describe.each(allProtocols)('serverModel with the protocol %s', (_, protocol) => {
  let server: LLMock
  beforeEach(async () => {
    server = new LLMock({ port: 0, logLevel: 'silent', strict: true, auth: { apiKeys: [key] } })
    await server.start()
  })
  afterEach(() => server.stop())
  const open = (apiKey = key) =>
    serverModel(protocol, { url: `${server.url}${getPath(protocol)}`, key: apiKey, name: 'small', ...limits })

  languageModelContract((turns) => {
    // The server counts the answers in a conversation, including corrections.
    for (const [turnIndex, answer] of turns.flat().entries())
      server.addFixture({ match: { turnIndex }, response: toResponse(answer) })
    return open()
  })

  it('fails with advice about MODEL_KEY if the server rejects the key', async () => {
    await expect(open('another').write(prompt, timeoutSignal())).rejects.toMatchObject({
      detail: { hint: expect.stringContaining('MODEL_KEY') },
    })
  })
})

function toResponse(answer: Answer) {
  const usage = { prompt_tokens: 20, completion_tokens: 5 }
  if (answer.calls)
    return {
      usage,
      toolCalls: answer.calls.map(({ name, arguments: args }) => ({
        name,
        arguments: typeof args === 'string' ? args : JSON.stringify(args),
      })),
    }
  return { usage, content: answer.value === undefined ? (answer.text ?? '') : JSON.stringify(answer.value) }
}

const look = { id: 'call_1', name: 'look', arguments: { place: 'quay' }, signature: 'proof' }
const wait = { id: 'call_2', name: 'wait', arguments: {} }
const messages: Message[] = [
  { role: 'user', text: 'Where is it?' },
  { role: 'model', text: '', calls: [] },
  { role: 'user', text: 'Your answer was empty.' },
  { role: 'model', text: 'I look.', calls: [look, wait] },
  { role: 'tool', call: look, text: 'Ships.' },
  { role: 'tool', call: wait, text: 'Done.' },
]
const question: Question = {
  ...{
    model: 'small',
    key,
    maxOutputTokens: 8000,
    isNewer: false,
    system: 'Find it.',
    messages,
    mustCall: true,
  },
  tools: [{ name: 'look', description: 'Looks.', schema: { type: 'object' } }],
}
const rules = { type: 'object', properties: {} }
const asking = (form: 'strict' | 'loose'): Question => ({
  ...question,
  tools: [],
  mustCall: false,
  schema: { form, rules },
})

describe('openai protocol', () => {
  it('sends tools, calls and their results', () => {
    const { path, headers, body } = protocols.openai.call(question)
    expect([path, headers]).toEqual(['/chat/completions', { authorization: `Bearer ${key}` }])
    expect(body).toMatchObject({
      ...{ model: 'small', max_tokens: 8000, tool_choice: 'required' },
      tools: [
        {
          type: 'function',
          function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } },
        },
      ],
      messages: [
        { role: 'system', content: 'Find it.' },
        { role: 'user', content: 'Where is it?' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'Your answer was empty.' },
        {
          ...{ role: 'assistant', content: 'I look.' },
          tool_calls: [
            {
              ...{
                id: 'call_1',
                type: 'function',
                function: { name: 'look', arguments: '{"place":"quay"}' },
              },
              extra_content: { google: { thought_signature: 'proof' } },
            },
            { id: 'call_2', type: 'function', function: { name: 'wait', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Ships.' },
        { role: 'tool', tool_call_id: 'call_2', content: 'Done.' },
      ],
    })
  })

  it('sends the schema', () => {
    const getResponseFormat = (form: 'strict' | 'loose') =>
      Reflect.get(Object(protocols.openai.call(asking(form)).body), 'response_format')
    expect(getResponseFormat('strict')).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: rules, strict: true },
    })
    expect(getResponseFormat('loose')).toMatchObject({ json_schema: { strict: false } })
  })

  it.each([
    ['thoughts before the answer', { content: '<think>{"a": 1}</think>\n{"b": 2}' }, '{"b": 2}'],
    [
      'parts',
      {
        content: [
          { type: 'thinking', thinking: [] },
          { type: 'text', text: 'Yes.' },
        ],
      },
      'Yes.',
    ],
    ['nothing', { content: null }, ''],
  ])('reads an answer with %s', (_, message, text) => {
    expect(protocols.openai.read({ choices: [{ message }] }, question)).toMatchObject({ text, calls: [] })
  })

  it('reads calls without ids', () => {
    const tool_calls = [
      { function: { name: 'look', arguments: '' } },
      { function: { name: 'look', arguments: { a: 1 } } },
    ]
    const read = protocols.openai.read({ choices: [{ message: { tool_calls } }] }, question)
    expect(read?.calls.map((call) => call.arguments)).toEqual([{}, { a: 1 }])
    expect(new Set(read?.calls.map(({ id }) => id)).size).toBe(2)
  })
})

describe('anthropic protocol', () => {
  it('sends turns that alternate, none of them empty', () => {
    const { path, headers, body } = protocols.anthropic.call(question)
    expect([path, headers]).toEqual(['/messages', { 'x-api-key': key, 'anthropic-version': '2023-06-01' }])
    expect(body).toEqual({
      ...{ model: 'small', max_tokens: 8000, system: 'Find it.', tool_choice: { type: 'any' } },
      tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Where is it?' },
            { type: 'text', text: 'Your answer was empty.' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'call_1', name: 'look', input: { place: 'quay' } },
            { type: 'tool_use', id: 'call_2', name: 'wait', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: 'Ships.' },
            { type: 'tool_result', tool_use_id: 'call_2', content: 'Done.' },
          ],
        },
      ],
    })
  })

  it('sends the schema as the form of the answer, or as a tool whose arguments are the answer', () => {
    expect(protocols.anthropic.call(asking('strict')).body).toMatchObject({
      output_config: { format: { type: 'json_schema', schema: rules } },
    })
    expect(protocols.anthropic.call(asking('loose')).body).toMatchObject({
      tools: [{ name: 'answer', input_schema: rules }],
      tool_choice: { type: 'tool', name: 'answer' },
    })
    const content = [{ type: 'tool_use', id: 'x', name: 'answer', input: { city: 'Lund' } }]
    expect(protocols.anthropic.read({ content }, asking('loose'))).toMatchObject({
      text: '{"city":"Lund"}',
      calls: [],
    })
  })
})

describe('google protocol', () => {
  it('puts the name of the model into the path', () => {
    expect(protocols.google.call(question).path).toBe('/models/small:generateContent')
    expect(protocols.google.call({ ...question, model: 'tunedModels/mine' }).path).toBe(
      '/tunedModels/mine:generateContent',
    )
  })

  it('sends turns that alternate, and the signature of a call', () => {
    const { headers, body } = protocols.google.call(question)
    expect(headers).toEqual({ 'x-goog-api-key': key })
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'Find it.' }] },
      generationConfig: { maxOutputTokens: 8000 },
      tools: [
        {
          functionDeclarations: [
            { name: 'look', description: 'Looks.', parametersJsonSchema: { type: 'object' } },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      contents: [
        { role: 'user', parts: [{ text: 'Where is it?' }, { text: 'Your answer was empty.' }] },
        {
          role: 'model',
          parts: [
            { text: 'I look.' },
            {
              functionCall: { id: 'call_1', name: 'look', args: { place: 'quay' } },
              thoughtSignature: 'proof',
            },
            { functionCall: { id: 'call_2', name: 'wait', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'call_1', name: 'look', response: { result: 'Ships.' } } },
            { functionResponse: { id: 'call_2', name: 'wait', response: { result: 'Done.' } } },
          ],
        },
      ],
    })
  })

  it('sends the schema, or requests only JSON', () => {
    expect(protocols.google.call(asking('strict')).body).toMatchObject({
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: rules },
    })
    const { generationConfig } = Object(protocols.google.call(asking('loose')).body)
    expect(generationConfig).toEqual({ maxOutputTokens: 8000, responseMimeType: 'application/json' })
  })

  it('reads calls, and sends back only ids that Google assigned', () => {
    const parts = [{ functionCall: { name: 'look', args: {} }, thoughtSignature: 'proof' }]
    const read = protocols.google.read({ candidates: [{ content: { parts } }] }, question)
    const [call] = read?.calls ?? []
    expect(call).toMatchObject({ name: 'look', arguments: {}, signature: 'proof' })
    const repeated = { role: 'model' as const, text: '', calls: [{ ...look, id: call?.id ?? '' }] }
    const { contents } = Object(protocols.google.call({ ...question, messages: [repeated] }).body)
    expect(contents[0].parts[0].functionCall).toEqual({ name: 'look', args: { place: 'quay' } })
  })
})
