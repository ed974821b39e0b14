import { describe, expect, it, onTestFinished } from 'vitest'
import { modelAnswers } from '../../../test/servers/model-answers.ts'
import { type ModelReply, startModelServer } from '../../../test/servers/model-server.ts'
import * as protocols from './protocols/all.ts'
import { repairReply, serverModel } from './server-model.ts'

const key = 'key-of-the-operator-71'
const limits = { timeoutMs: 30_000, inputTokens: 32_000, outputTokens: 8000 }
const prompt = { system: 'Be brief.', text: 'Where is the harbour?' }
const schema = { type: 'object', properties: { city: { type: 'string' }, berths: { type: 'integer' } } }
const timeoutSignal = () => AbortSignal.timeout(60_000)

const allProtocols = Object.values(protocols).map((protocol) => [protocol.name, protocol] as const)
describe.each(allProtocols)('serverModel with the protocol %s', (name, protocol) => {
  const answers = modelAnswers(name)

  const setup = async (replies: ModelReply[], changes: Partial<typeof limits> = {}) => {
    const server = await startModelServer(...replies)
    onTestFinished(() => server.stop())
    return {
      server,
      model: serverModel(protocol, { url: server.url, key, name: 'small', ...limits, ...changes }),
    }
  }
  const good = { body: answers.text('{"city": "Lund"}') }
  const busyReply = (headers: Record<string, string> = {}) => ({
    status: 429,
    headers,
    body: { error: { message: 'slow down' } },
  })

  it('returns the token counts of the server', async () => {
    const { model } = await setup([good])
    expect((await model.write(prompt, timeoutSignal())).usage).toEqual({ inputTokens: 70, outputTokens: 3 })
  })

  it('estimates tokens if the server does not count them', async () => {
    const { model } = await setup([{ body: answers.text('In the south.', false) }])
    const { usage } = await model.write(prompt, timeoutSignal())
    expect(usage.inputTokens).toBeGreaterThan(5)
    expect(usage.outputTokens).toBeGreaterThan(2)
  })

  it('retries after a 429 and a 500', async () => {
    const { model, server } = await setup([
      busyReply({ 'retry-after': '0' }),
      { status: 500, headers: { 'retry-after': '0' }, body: 'oh' },
      good,
    ])
    expect((await model.write(prompt, timeoutSignal())).text).toContain('Lund')
    expect(server.requests).toHaveLength(3)
  })

  it('fails without a retry if Retry-After is longer than a minute', async () => {
    const { model, server } = await setup([busyReply({ 'retry-after': '86400' })])
    await expect(model.write(prompt, timeoutSignal())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: expect.stringContaining('429: slow down'), hint: expect.stringContaining('later') },
    })
    expect(server.requests).toHaveLength(1)
  })

  it('stops waiting for a retry when the caller aborts', async () => {
    const { model, server } = await setup([busyReply({ 'retry-after': '50' })])
    const abortController = new AbortController()
    const pending = model.write(prompt, abortController.signal)
    await expect.poll(() => server.requests.length).toBe(1)
    abortController.abort(new Error('the caller has gone'))
    await expect(pending).rejects.toThrow('the caller has gone')
  })

  it.each<[string, ModelReply, RegExp]>([
    ['no JSON', { body: '<html>' }, /not JSON/],
    ['another protocol', { body: { hello: 1 } }, /not one of a/],
    ['a redirect', { status: 308, headers: { location: 'http://127.0.0.1:9/' }, body: '' }, /308/],
  ])('fails without a retry for %s', async (_, reply, reason) => {
    const { model, server } = await setup([reply])
    await expect(model.write(prompt, timeoutSignal())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: expect.stringMatching(reason), hint: expect.stringContaining('MODEL_PROTOCOL') },
    })
    expect(server.requests).toHaveLength(1)
  })

  it.each(['close', 'half an answer'] as const)('retries after %s', async (reply) => {
    const { model } = await setup([reply, good])
    expect((await model.write(prompt, timeoutSignal())).text).toContain('Lund')
  })

  it('fails after its timeout if the server does not respond', async () => {
    const { model } = await setup(['silence'], { timeoutMs: 100 })
    await expect(model.write(prompt, timeoutSignal())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: 'no answer within 0.1 s', hint: expect.stringContaining('MODEL_TIMEOUT_MS') },
    })
  })

  it('returns the error message of the server without the key', async () => {
    const { model } = await setup([{ status: 401, body: { error: { message: `wrong key ${key}` } } }])
    await expect(model.write(prompt, timeoutSignal())).rejects.toMatchObject({
      detail: { reason: 'status 401: wrong key [key]', hint: expect.stringContaining('MODEL_KEY') },
    })
  })

  it('fails without a correction if the model refuses to answer', async () => {
    const { model, server } = await setup([{ body: answers.refused }])
    await expect(model.write(prompt, timeoutSignal())).rejects.toMatchObject({
      detail: { reason: expect.stringContaining('refused to answer') },
    })
    expect(server.requests).toHaveLength(1)
  })

  it('corrects an answer that was cut off, and fails if the second one is cut off too', async () => {
    const { model } = await setup([{ body: answers.cut }, good])
    expect((await model.extract({ ...prompt, schema }, timeoutSignal())).value).toEqual({ city: 'Lund' })
    const alwaysCut = await setup([{ body: answers.cut }])
    await expect(alwaysCut.model.write(prompt, timeoutSignal())).rejects.toMatchObject({
      detail: {
        reason: expect.stringContaining('cut off'),
        hint: expect.stringContaining('MODEL_MAX_TOKENS_PER_CALL'),
      },
    })
  })

  it('rejects a prompt with more than the maximum input tokens', async () => {
    const { model, server } = await setup([good])
    const text = 'word '.repeat(30_000)
    await expect(model.write({ ...prompt, text }, timeoutSignal())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: expect.stringContaining('one call takes 32000') },
    })
    expect(server.requests).toHaveLength(0)
  })
})

describe('serverModel with chat completions', () => {
  it('uses the newer name of a field if the server requires it', async () => {
    const rejection = {
      error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." },
    }
    const server = await startModelServer(
      { status: 400, body: rejection },
      { body: modelAnswers('openai').text('Yes.') },
    )
    onTestFinished(() => server.stop())
    const model = serverModel(protocols.openai, { url: server.url, key, name: 'small', ...limits })
    await model.write(prompt, timeoutSignal())
    await model.write(prompt, timeoutSignal())
    expect(server.requests.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [8000, undefined],
      [undefined, 8000],
      [undefined, 8000],
    ])
  })

  it('fails without an internal address if no server listens', async () => {
    const model = serverModel(protocols.openai, {
      url: 'http://127.0.0.1:9/v1',
      key,
      name: 'small',
      ...limits,
    })
    await expect(model.write(prompt, timeoutSignal())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: expect.not.stringContaining('127.0.0.1') },
    })
  })
})

const tools = [{ name: 'look', description: 'Looks.', schema: { type: 'object', properties: {} } }]
const conversation = { system: 'Look.', messages: [{ role: 'user' as const, text: 'ships' }], tools }

describe.each(allProtocols)('answer constraints with the protocol %s', (name, protocol) => {
  const answers = modelAnswers(name)
  const refusal = { status: 400, body: { error: { message: 'this field is not supported' } } }
  const good = { body: answers.text('{"city": "Lund", "berths": null}') }
  const looseReply = { body: answers.text('{"city": "Lund"}') }

  const setup = async (replies: ModelReply[]) => {
    const server = await startModelServer(...replies)
    onTestFinished(() => server.stop())
    return { server, model: serverModel(protocol, { url: server.url, key, name: 'small', ...limits }) }
  }

  it('sends a strict schema, in which optional properties may be null', async () => {
    const { model, server } = await setup([good])
    const { value, isStrict } = await model.extract({ ...prompt, schema }, timeoutSignal())
    expect([value, isStrict]).toEqual([{ city: 'Lund' }, true])
    expect(JSON.stringify(server.requests[0]?.body)).toContain('"required":["city","berths"]')
  })

  it('falls back to weaker constraints, and does not send rejected ones again', async () => {
    const { model, server } = await setup([refusal, refusal, looseReply])
    const first = await model.extract({ ...prompt, schema }, timeoutSignal())
    expect([first.value, first.isStrict, server.requests.length]).toEqual([{ city: 'Lund' }, false, 3])
    await model.extract({ ...prompt, schema: { ...schema } }, timeoutSignal())
    expect(server.requests).toHaveLength(4)
    expect(server.requests[3]?.body).toEqual(server.requests[2]?.body)
  })

  it('tries constraints again with other schemas, until three were rejected', async () => {
    const { model, server } = await setup(
      Array.from({ length: 3 }, () => [refusal, refusal, looseReply]).flat(),
    )
    for (const title of ['a', 'b', 'c', 'd', 'e'])
      await model.extract({ ...prompt, schema: { ...schema, title } }, timeoutSignal())
    expect(server.requests).toHaveLength(11)
  })

  it('stays strict for other schemas if one was rejected', async () => {
    const { model, server } = await setup([good, refusal, refusal, looseReply, looseReply, good])
    for (const title of ['a', 'b', 'b', 'c', 'd'])
      await model.extract({ ...prompt, schema: { ...schema, title } }, timeoutSignal())
    expect(server.requests).toHaveLength(7)
    const last = await model.extract({ ...prompt, schema }, timeoutSignal())
    expect(last.isStrict).toBe(true)
  })

  it('does not repeat a rejected request without constraints', async () => {
    const { model, server } = await setup([refusal])
    await expect(model.write(prompt, timeoutSignal())).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    expect(server.requests).toHaveLength(1)
  })

  it('forces a call, unless the server rejects that', async () => {
    const textReply = { body: answers.text('By the quay.') }
    const { model, server } = await setup([refusal, textReply])
    await model.step({ ...conversation, mustCall: true }, timeoutSignal())
    await model.step({ ...conversation, mustCall: true }, timeoutSignal())
    const forced = server.requests.map(({ body }) => /required|"any"|"ANY"/.test(JSON.stringify(body)))
    // A text without a call is corrected once, so each step without a forced call sends two requests.
    expect(forced).toEqual([true, false, false, false, false])
  })
})

const estimated = { inputTokens: 7, outputTokens: 3 }
const repair = (changes: object) =>
  repairReply(
    { text: '', calls: [], isCut: false, refusal: undefined, usage: undefined, ...changes },
    () => estimated,
  )

describe('repairReply', () => {
  it.each([
    [-1, 5],
    [5, -1],
    [Number.NaN, 5],
    [5, Number.POSITIVE_INFINITY],
    [1e300, 5],
  ])('estimates the tokens if the server counts %s and %s', (inputTokens, outputTokens) => {
    expect(repair({ usage: { inputTokens, outputTokens } }).usage).toEqual(estimated)
  })

  it('rounds counts of a server up to integers', () => {
    expect(repair({ usage: { inputTokens: 0.5, outputTokens: 0 } }).usage).toEqual({
      inputTokens: 1,
      outputTokens: 0,
    })
  })

  it('gives each call its own id, and drops calls beyond 64', () => {
    const call = { id: 'a', name: 'look', arguments: {} }
    const { calls } = repair({ calls: Array.from({ length: 1000 }, () => call) })
    expect(calls).toHaveLength(64)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(64)
  })

  it('replaces arguments that are nested too deeply', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
    const { calls } = repair({ calls: [{ id: 'a', name: 'look', arguments: deep }] })
    expect(calls[0]?.arguments).toBe('arguments that are nested too deeply')
  })
})
