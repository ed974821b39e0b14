import { LLMock } from '@copilotkit/aimock'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { languageModelContract } from './language-model.contract.ts'
import { openAiModel } from './openai.ts'
import type { Scripts } from './scripted.ts'

type Answer = Extract<Scripts[number]['turns'][number], { text?: string | undefined }>

const key = 'key-of-the-operator-71'
const signal = AbortSignal.timeout(60_000)
const prompt = { system: 'Be brief.', text: 'Where is the harbour?' }

describe('model behind chat completions', () => {
  let server: LLMock
  beforeEach(async () => {
    server = new LLMock({ port: 0, logLevel: 'silent', strict: true, auth: { apiKeys: [key] } })
    await server.start()
  })
  afterEach(() => server.stop())
  const open = () => openAiModel({ url: `${server.url}/v1/`, key, name: 'small' })

  languageModelContract((turns) => {
    // The server counts the answers it has given in a conversation, corrections included.
    for (const [turnIndex, said] of turns.flat().entries())
      server.addFixture({ match: { turnIndex }, response: toResponse(said) })
    return open()
  })

  it('sends name, tools and schema as the protocol wants them', async () => {
    server.onMessage('harbour', { content: '{"city":"Lund"}' })
    server.onMessage('ships', { toolCalls: [{ name: 'look', arguments: '{}' }] })
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    await open().extract({ ...prompt, schema }, signal)
    expect(server.getLastRequest()?.body).toMatchObject({
      model: 'small',
      response_format: { type: 'json_schema', json_schema: { schema, strict: false } },
    })
    const tools = [{ name: 'look', description: 'Looks.', schema: { type: 'object', properties: {} } }]
    const messages = [{ role: 'user' as const, text: 'ships' }]
    await open().step({ system: 'Look.', messages, tools, mustCall: true }, signal)
    expect(server.getLastRequest()?.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Look.' },
        { role: 'user', content: 'ships' },
      ],
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks.' } }],
      tool_choice: 'required',
    })
  })

  it('asks again where the server is busy', async () => {
    server.nextRequestError(429, { message: 'slow down' })
    server.onMessage(/./, { content: 'In the south.' })
    expect((await open().write(prompt, signal)).text).toBe('In the south.')
    expect(server.getRequests()).toHaveLength(2)
  })

  it('does not wait longer than a minute for a busy server', async () => {
    const error = { message: 'come back tomorrow' }
    server.onMessage(/./, { error, status: 429, retryAfter: 86_400 })
    await expect(open().write(prompt, signal)).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: expect.stringContaining('429'), hint: expect.stringContaining('later') },
    })
    expect(server.getRequests()).toHaveLength(1)
  })

  it('waits for a busy server no longer than its caller does', async () => {
    server.onMessage(/./, { error: { message: 'slow down' }, status: 429, retryAfter: 50 })
    const leaving = new AbortController()
    const writing = open().write(prompt, leaving.signal)
    await expect.poll(() => server.getRequests().length).toBe(1)
    leaving.abort(new Error('the caller has gone'))
    await expect(writing).rejects.toThrow('the caller has gone')
  })

  it('puts the schema into the prompt alone where the server refuses it', async () => {
    server.nextRequestError(400, { message: 'response_format is not supported' })
    server.onMessage(/./, { content: '{"city":"Lund"}' })
    const { value } = await open().extract({ ...prompt, schema: { type: 'object' } }, signal)
    expect(value).toEqual({ city: 'Lund' })
    expect(server.getLastRequest()?.body).not.toHaveProperty('response_format')
  })

  it('leaves the choice to the model where the server refuses to force a call', async () => {
    server.nextRequestError(400, { message: 'tool_choice is not supported' })
    server.onMessage(/./, { toolCalls: [{ name: 'look', arguments: '{}' }] })
    const tools = [{ name: 'look', description: 'Looks.', schema: { type: 'object' } }]
    const messages = [{ role: 'user' as const, text: 'ships' }]
    const { calls } = await open().step({ system: '', messages, tools, mustCall: true }, signal)
    expect(calls).toMatchObject([{ name: 'look' }])
    expect(server.getLastRequest()?.body).toMatchObject({ tool_choice: 'auto' })
  })

  it('is refused by the server with a wrong key', async () => {
    const model = openAiModel({ url: `${server.url}/v1`, key: 'another', name: 'small' })
    await expect(model.write(prompt, signal)).rejects.toMatchObject({
      detail: { hint: expect.stringContaining('MODEL_KEY') },
    })
  })

  it('tells why the server refused, without the key', async () => {
    server.nextRequestError(401, { message: `wrong key ${key}` })
    const refused = open().write(prompt, signal)
    await expect(refused).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: expect.stringMatching(/401.*\[key\]/), hint: expect.stringContaining('MODEL_KEY') },
    })
  })

  it('fails where nobody answers', async () => {
    const model = openAiModel({ url: 'http://127.0.0.1:9/v1', key, name: 'small' })
    const waiting = AbortSignal.timeout(20_000)
    await expect(model.write(prompt, waiting)).rejects.toMatchObject({ code: 'MODEL_FAILED' })
  })
})

function toResponse(said: Answer) {
  if (said.calls)
    return {
      toolCalls: said.calls.map(({ name, arguments: given }) => ({
        name,
        arguments: typeof given === 'string' ? given : JSON.stringify(given),
      })),
    }
  return { content: said.value === undefined ? (said.text ?? '') : JSON.stringify(said.value) }
}
