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
const patience = () => AbortSignal.timeout(60_000)
const each = Object.values(protocols).map((protocol) => [protocol.name, protocol] as const)

const pathOf = (protocol: ModelProtocol) => (protocol.name === 'google' ? '/v1beta' : '/v1/')

describe.each(each)('model behind the protocol %s', (_, protocol) => {
  let server: LLMock
  beforeEach(async () => {
    server = new LLMock({ port: 0, logLevel: 'silent', strict: true, auth: { apiKeys: [key] } })
    await server.start()
  })
  afterEach(() => server.stop())
  const open = (given = key) =>
    serverModel(protocol, { url: `${server.url}${pathOf(protocol)}`, key: given, name: 'small', ...limits })

  languageModelContract((turns) => {
    // The server counts the answers it has given in a conversation, corrections included.
    for (const [turnIndex, said] of turns.flat().entries())
      server.addFixture({ match: { turnIndex }, response: toResponse(said) })
    return open()
  })

  it('is refused by the server with a wrong key', async () => {
    await expect(open('another').write(prompt, patience())).rejects.toMatchObject({
      detail: { hint: expect.stringContaining('MODEL_KEY') },
    })
  })
})

function toResponse(said: Answer) {
  const usage = { prompt_tokens: 20, completion_tokens: 5 }
  if (said.calls)
    return {
      usage,
      toolCalls: said.calls.map(({ name, arguments: given }) => ({
        name,
        arguments: typeof given === 'string' ? given : JSON.stringify(given),
      })),
    }
  return { usage, content: said.value === undefined ? (said.text ?? '') : JSON.stringify(said.value) }
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

describe('a question by chat completions', () => {
  it('has tools, calls and their answers', () => {
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

  it('has the schema', () => {
    const formOf = (form: 'strict' | 'loose') =>
      Reflect.get(Object(protocols.openai.call(asking(form)).body), 'response_format')
    expect(formOf('strict')).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: rules, strict: true },
    })
    expect(formOf('loose')).toMatchObject({ json_schema: { strict: false } })
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
  ])('is answered with %s', (_, message, text) => {
    expect(protocols.openai.read({ choices: [{ message }] }, question)).toMatchObject({ text, calls: [] })
  })

  it('is answered by calls without ids', () => {
    const tool_calls = [
      { function: { name: 'look', arguments: '' } },
      { function: { name: 'look', arguments: { a: 1 } } },
    ]
    const read = protocols.openai.read({ choices: [{ message: { tool_calls } }] }, question)
    expect(read?.calls.map((call) => call.arguments)).toEqual([{}, { a: 1 }])
    expect(new Set(read?.calls.map(({ id }) => id)).size).toBe(2)
  })
})

describe('a question to Anthropic', () => {
  it('has turns that alternate, none of them empty', () => {
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

  it('has the schema as the form of the answer, or as a tool whose arguments are the answer', () => {
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

describe('a question to Google', () => {
  it('has the name of the model in its address', () => {
    expect(protocols.google.call(question).path).toBe('/models/small:generateContent')
    expect(protocols.google.call({ ...question, model: 'tunedModels/mine' }).path).toBe(
      '/tunedModels/mine:generateContent',
    )
  })

  it('has turns that alternate, and gives the proof of a call back', () => {
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

  it('has the schema, or asks for JSON', () => {
    expect(protocols.google.call(asking('strict')).body).toMatchObject({
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: rules },
    })
    const { generationConfig } = Object(protocols.google.call(asking('loose')).body)
    expect(generationConfig).toEqual({ maxOutputTokens: 8000, responseMimeType: 'application/json' })
  })

  it('is answered by calls, whose ids go back only if Google gave them', () => {
    const parts = [{ functionCall: { name: 'look', args: {} }, thoughtSignature: 'proof' }]
    const read = protocols.google.read({ candidates: [{ content: { parts } }] }, question)
    const [call] = read?.calls ?? []
    expect(call).toMatchObject({ name: 'look', arguments: {}, signature: 'proof' })
    const again = { role: 'model' as const, text: '', calls: [{ ...look, id: call?.id ?? '' }] }
    const { contents } = Object(protocols.google.call({ ...question, messages: [again] }).body)
    expect(contents[0].parts[0].functionCall).toEqual({ name: 'look', args: { place: 'quay' } })
  })
})
