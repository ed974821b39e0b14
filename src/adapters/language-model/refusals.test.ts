import { describe, expect, it, onTestFinished } from 'vitest'
import { modelAnswers } from '../../../test/servers/model-answers.ts'
import { type ModelReply, startModelServer } from '../../../test/servers/model-server.ts'
import * as protocols from './protocols/all.ts'
import { serverModel } from './server-model.ts'

const key = 'key-of-the-operator-71'
const limits = { timeoutMs: 30_000, inputTokens: 32_000, outputTokens: 8000 }
const prompt = { system: 'Be brief.', text: 'Where is the harbour?' }
const schema = { type: 'object', properties: { city: { type: 'string' }, berths: { type: 'integer' } } }
const tools = [{ name: 'look', description: 'Looks.', schema: { type: 'object', properties: {} } }]
const conversation = { system: 'Look.', messages: [{ role: 'user' as const, text: 'ships' }], tools }
const patience = () => AbortSignal.timeout(60_000)

const each = Object.values(protocols).map((protocol) => [protocol.name, protocol] as const)

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
