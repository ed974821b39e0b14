import { describe, expect, it, onTestFinished } from 'vitest'
import { modelAnswers } from '../../../test/servers/model-answers.ts'
import { type ModelReply, startModelServer } from '../../../test/servers/model-server.ts'
import * as protocols from './protocols/all.ts'
import { repairReply, serverModel } from './server-model.ts'

const key = 'key-of-the-operator-71'
const limits = { timeoutMs: 30_000, inputTokens: 32_000, outputTokens: 8000 }
const prompt = { system: 'Be brief.', text: 'Where is the harbour?' }
const schema = { type: 'object', properties: { city: { type: 'string' }, berths: { type: 'integer' } } }
const patience = () => AbortSignal.timeout(60_000)

const each = Object.values(protocols).map((protocol) => [protocol.name, protocol] as const)
describe.each(each)('a server of the protocol %s', (name, protocol) => {
  const way = modelAnswers(name)

  const scene = async (replies: ModelReply[], changes: Partial<typeof limits> = {}) => {
    const server = await startModelServer(...replies)
    onTestFinished(() => server.stop())
    return {
      server,
      model: serverModel(protocol, { url: server.url, key, name: 'small', ...limits, ...changes }),
    }
  }
  const good = { body: way.text('{"city": "Lund"}') }
  const busy = (headers: Record<string, string> = {}) => ({
    status: 429,
    headers,
    body: { error: { message: 'slow down' } },
  })

  it('has its tokens counted', async () => {
    const { model } = await scene([good])
    expect((await model.write(prompt, patience())).usage).toEqual({ inputTokens: 70, outputTokens: 3 })
  })

  it('has its tokens estimated where it does not count them', async () => {
    const { model } = await scene([{ body: way.text('In the south.', false) }])
    const { usage } = await model.write(prompt, patience())
    expect(usage.inputTokens).toBeGreaterThan(5)
    expect(usage.outputTokens).toBeGreaterThan(2)
  })

  it('is asked again where it is busy or fails for a moment', async () => {
    const { model, server } = await scene([
      busy({ 'retry-after': '0' }),
      { status: 500, headers: { 'retry-after': '0' }, body: 'oh' },
      good,
    ])
    expect((await model.write(prompt, patience())).text).toContain('Lund')
    expect(server.requests).toHaveLength(3)
  })

  it('is not waited for longer than a minute', async () => {
    const { model, server } = await scene([busy({ 'retry-after': '86400' })])
    await expect(model.write(prompt, patience())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: expect.stringContaining('429: slow down'), hint: expect.stringContaining('later') },
    })
    expect(server.requests).toHaveLength(1)
  })

  it('is not waited for longer than the caller waits', async () => {
    const { model, server } = await scene([busy({ 'retry-after': '50' })])
    const leaving = new AbortController()
    const writing = model.write(prompt, leaving.signal)
    await expect.poll(() => server.requests.length).toBe(1)
    leaving.abort(new Error('the caller has gone'))
    await expect(writing).rejects.toThrow('the caller has gone')
  })

  it.each<[string, ModelReply, RegExp]>([
    ['no JSON', { body: '<html>' }, /not JSON/],
    ['another protocol', { body: { hello: 1 } }, /not one of a/],
    ['a redirect', { status: 308, headers: { location: 'http://127.0.0.1:9/' }, body: '' }, /308/],
  ])('fails at once with %s', async (_, reply, reason) => {
    const { model, server } = await scene([reply])
    await expect(model.write(prompt, patience())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: expect.stringMatching(reason), hint: expect.stringContaining('MODEL_PROTOCOL') },
    })
    expect(server.requests).toHaveLength(1)
  })

  it.each(['close', 'half an answer'] as const)('is asked again after %s', async (reply) => {
    const { model } = await scene([reply, good])
    expect((await model.write(prompt, patience())).text).toContain('Lund')
  })

  it('is given up when it is silent', async () => {
    const { model } = await scene(['silence'], { timeoutMs: 100 })
    await expect(model.write(prompt, patience())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: 'no answer within 0.1 s', hint: expect.stringContaining('MODEL_TIMEOUT_MS') },
    })
  })

  it('tells why it refused, without the key', async () => {
    const { model } = await scene([{ status: 401, body: { error: { message: `wrong key ${key}` } } }])
    await expect(model.write(prompt, patience())).rejects.toMatchObject({
      detail: { reason: 'status 401: wrong key [key]', hint: expect.stringContaining('MODEL_KEY') },
    })
  })

  it('may refuse what it is asked', async () => {
    const { model, server } = await scene([{ body: way.refused }])
    await expect(model.write(prompt, patience())).rejects.toMatchObject({
      detail: { reason: expect.stringContaining('refused to answer') },
    })
    expect(server.requests).toHaveLength(1)
  })

  it('is asked for less where its answer was cut off', async () => {
    const { model } = await scene([{ body: way.cut }, good])
    expect((await model.extract({ ...prompt, schema }, patience())).value).toEqual({ city: 'Lund' })
    const endless = await scene([{ body: way.cut }])
    await expect(endless.model.write(prompt, patience())).rejects.toMatchObject({
      detail: {
        reason: expect.stringContaining('cut off'),
        hint: expect.stringContaining('MODEL_MAX_TOKENS_PER_CALL'),
      },
    })
  })

  it('is not sent more than one call takes', async () => {
    const { model, server } = await scene([good])
    const text = 'word '.repeat(30_000)
    await expect(model.write({ ...prompt, text }, patience())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: expect.stringContaining('one call takes 32000') },
    })
    expect(server.requests).toHaveLength(0)
  })
})

describe('a server of chat completions', () => {
  it('is asked by the newer name of a field where it wants that', async () => {
    const wants = {
      error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." },
    }
    const server = await startModelServer(
      { status: 400, body: wants },
      { body: modelAnswers('openai').text('Yes.') },
    )
    onTestFinished(() => server.stop())
    const model = serverModel(protocols.openai, { url: server.url, key, name: 'small', ...limits })
    await model.write(prompt, patience())
    await model.write(prompt, patience())
    expect(server.requests.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [8000, undefined],
      [undefined, 8000],
      [undefined, 8000],
    ])
  })

  it('fails where nobody answers', async () => {
    const model = serverModel(protocols.openai, {
      url: 'http://127.0.0.1:9/v1',
      key,
      name: 'small',
      ...limits,
    })
    await expect(model.write(prompt, patience())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: expect.not.stringContaining('127.0.0.1') },
    })
  })
})

const tools = [{ name: 'look', description: 'Looks.', schema: { type: 'object', properties: {} } }]
const conversation = { system: 'Look.', messages: [{ role: 'user' as const, text: 'ships' }], tools }

describe.each(each)('what a server of the protocol %s can hold a model to', (name, protocol) => {
  const way = modelAnswers(name)
  const refusal = { status: 400, body: { error: { message: 'this field is not supported' } } }
  const good = { body: way.text('{"city": "Lund", "berths": null}') }
  const loose = { body: way.text('{"city": "Lund"}') }

  const scene = async (replies: ModelReply[]) => {
    const server = await startModelServer(...replies)
    onTestFinished(() => server.stop())
    return { server, model: serverModel(protocol, { url: server.url, key, name: 'small', ...limits }) }
  }

  it('is a strict schema, in which what is optional may be null', async () => {
    const { model, server } = await scene([good])
    const { value, isStrict } = await model.extract({ ...prompt, schema }, patience())
    expect([value, isStrict]).toEqual([{ city: 'Lund' }, true])
    expect(JSON.stringify(server.requests[0]?.body)).toContain('"required":["city","berths"]')
  })

  it('is less where it refuses that, and it is not asked for it again', async () => {
    const { model, server } = await scene([refusal, refusal, loose])
    const first = await model.extract({ ...prompt, schema }, patience())
    expect([first.value, first.isStrict, server.requests.length]).toEqual([{ city: 'Lund' }, false, 3])
    await model.extract({ ...prompt, schema: { ...schema } }, patience())
    expect(server.requests).toHaveLength(4)
    expect(server.requests[3]?.body).toEqual(server.requests[2]?.body)
  })

  it('is tried anew with other schemas, until it has refused a few', async () => {
    const { model, server } = await scene(Array.from({ length: 3 }, () => [refusal, refusal, loose]).flat())
    for (const title of ['a', 'b', 'c', 'd', 'e'])
      await model.extract({ ...prompt, schema: { ...schema, title } }, patience())
    expect(server.requests).toHaveLength(11)
  })

  it('stays strict for others where it refuses one schema', async () => {
    const { model, server } = await scene([good, refusal, refusal, loose, loose, good])
    for (const title of ['a', 'b', 'b', 'c', 'd'])
      await model.extract({ ...prompt, schema: { ...schema, title } }, patience())
    expect(server.requests).toHaveLength(7)
    const last = await model.extract({ ...prompt, schema }, patience())
    expect(last.isStrict).toBe(true)
  })

  it('is no reason of its own to ask twice', async () => {
    const { model, server } = await scene([refusal])
    await expect(model.write(prompt, patience())).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    expect(server.requests).toHaveLength(1)
  })

  it('is a call, unless it refuses to force one', async () => {
    const words = { body: way.text('By the quay.') }
    const { model, server } = await scene([refusal, words])
    await model.step({ ...conversation, mustCall: true }, patience())
    await model.step({ ...conversation, mustCall: true }, patience())
    const forced = server.requests.map(({ body }) => /required|"any"|"ANY"/.test(JSON.stringify(body)))
    // Words are asked for a call once more.
    expect(forced).toEqual([true, false, false, false, false])
  })
})

const estimated = { inputTokens: 7, outputTokens: 3 }
const answer = (changes: object) =>
  repairReply(
    { text: '', calls: [], isCut: false, refusal: undefined, usage: undefined, ...changes },
    () => estimated,
  )

describe('soundAnswer', () => {
  it.each([
    [-1, 5],
    [5, -1],
    [Number.NaN, 5],
    [5, Number.POSITIVE_INFINITY],
    [1e300, 5],
  ])('estimates the tokens if the server counts %s and %s', (inputTokens, outputTokens) => {
    expect(answer({ usage: { inputTokens, outputTokens } }).usage).toEqual(estimated)
  })

  it('keeps counts of a server, as whole numbers', () => {
    expect(answer({ usage: { inputTokens: 0.5, outputTokens: 0 } }).usage).toEqual({
      inputTokens: 1,
      outputTokens: 0,
    })
  })

  it('gives each call its own id, and drops calls beyond 64', () => {
    const call = { id: 'a', name: 'look', arguments: {} }
    const { calls } = answer({ calls: Array.from({ length: 1000 }, () => call) })
    expect(calls).toHaveLength(64)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(64)
  })

  it('replaces arguments that are nested too deeply', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
    const { calls } = answer({ calls: [{ id: 'a', name: 'look', arguments: deep }] })
    expect(calls[0]?.arguments).toBe('arguments that are nested too deeply')
  })
})
