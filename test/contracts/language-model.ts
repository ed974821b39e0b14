import { expect, it } from 'vitest'
import type { Scripts } from '../../src/platform/language-model/scripted.ts'
import type { Conversation, SharedModel, Usage } from '../../src/platform/ports/language-model.ts'

type Turns = Scripts[number]['turns']

/** Creates a new timeout for each call, because this module may have been loaded long before. */
const createTimeout = () => AbortSignal.timeout(60_000)
const prompt = { system: 'Be brief.', text: 'Where is the harbour?' }
const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, berths: { type: 'integer' } },
  required: ['city'],
  additionalProperties: false,
}
const conversation: Conversation = {
  system: 'Find it.',
  messages: [{ role: 'user', text: 'Where is the harbour?' }],
  tools: [
    {
      name: 'look',
      description: 'Looks at a place.',
      schema: {
        type: 'object',
        properties: { place: { type: 'string' }, when: { type: 'string' } },
        required: ['place'],
      },
    },
  ],
  mustCall: true,
}
const looks = { calls: [{ name: 'look', arguments: { place: 'quay' } }] }

/** Declares the tests that every implementation of the port must pass, whatever the model returns. */
export function languageModelContract(open: Open): void {
  writeContract(open)
  extractContract(open)
  stepContract(open)
  stepCorrectionContract(open)
  meterContract(open)
}

type Open = (turns: Turns) => SharedModel

function writeContract(open: Open): void {
  it('writes text and counts tokens', async () => {
    const written = await open([{ text: 'In the south.' }]).write(prompt, createTimeout())
    expect(written.text).toBe('In the south.')
    expect(written.usage.inputTokens).toBeGreaterThan(0)
  })

  it('ends if its caller aborts', async () => {
    const aborted = AbortSignal.abort(new Error('the caller has gone'))
    await expect(open([{ text: 'late' }]).write(prompt, aborted)).rejects.toThrow('the caller has gone')
  })
}

function extractContract(open: Open): void {
  it('extracts a value that fits the schema', async () => {
    const model = open([{ value: { city: 'Lund', berths: 4 } }])
    expect((await model.extract({ ...prompt, schema }, createTimeout())).value).toEqual({
      city: 'Lund',
      berths: 4,
    })
  })

  it('reads JSON in a code fence', async () => {
    const model = open([{ text: '```json\n{"city": "Lund"}\n```' }])
    expect((await model.extract({ ...prompt, schema }, createTimeout())).value).toEqual({ city: 'Lund' })
  })

  it.each([
    ['no JSON', { text: 'It is Lund.' }],
    ['not what the schema says', { value: { berths: 'many' } }],
  ])('corrects an extraction that is %s', async (_, wrongReply) => {
    const model = open([[wrongReply, { value: { city: 'Lund' } }]])
    expect((await model.extract({ ...prompt, schema }, createTimeout())).value).toEqual({ city: 'Lund' })
  })

  it('fails after a second wrong extraction', async () => {
    const model = open([[{ text: 'It is Lund.' }, { text: 'Really.' }]])
    await expect(model.extract({ ...prompt, schema }, createTimeout())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { phase: 'model', reason: expect.stringContaining('JSON'), hint: expect.any(String) },
    })
  })

  it('reads JSON in the middle of text', async () => {
    const model = open([{ text: 'Here it is: {"city": "Lund"}. Is that all?' }])
    expect((await model.extract({ ...prompt, schema }, createTimeout())).value).toEqual({ city: 'Lund' })
  })

  it('uses text as the value if the schema allows it, after a second request for JSON', async () => {
    const model = open([[{ text: 'It is Lund.' }, { text: 'In Lund.' }]])
    const { value } = await model.extract({ ...prompt, schema: { type: 'string' } }, createTimeout())
    expect(value).toBe('In Lund.')
  })

  it('rejects an invalid schema', async () => {
    const request = { ...prompt, schema: { type: 'nonsense' } }
    await expect(open([{ text: '1' }]).extract(request, createTimeout())).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  })
}

function stepContract(open: Open): void {
  it('calls a tool', async () => {
    const { calls } = await open([looks]).step(conversation, createTimeout())
    expect(calls).toEqual([{ id: expect.any(String), name: 'look', arguments: { place: 'quay' } }])
  })

  it('treats a null argument as absent', async () => {
    const { calls } = await open([
      { calls: [{ name: 'look', arguments: { place: 'quay', when: null } }] },
    ]).step(conversation, createTimeout())
    expect(calls).toMatchObject([{ arguments: { place: 'quay' } }])
  })

  it('continues after a tool result', async () => {
    const model = open([looks, { text: 'It is by the quay.' }])
    const { text, calls } = await model.step(conversation, createTimeout())
    const [call] = calls
    if (!call) throw new Error('there is a call')
    const messages: Conversation['messages'] = [
      ...conversation.messages,
      { role: 'model', text, calls },
      { role: 'tool', call, text: 'Ships.' },
    ]
    const next = await model.step({ ...conversation, messages, mustCall: false }, createTimeout())
    expect(next).toMatchObject({ text: 'It is by the quay.', calls: [] })
  })
}

function stepCorrectionContract(open: Open): void {
  it.each([
    ['no call', { text: 'I would look.' }],
    ['arguments that are no JSON', { calls: [{ name: 'look', arguments: '{"place": ' }] }],
    ['arguments that do not fit', { calls: [{ name: 'look', arguments: { place: 5 } }] }],
    ['a tool that was not offered', { calls: [{ name: 'shell', arguments: { command: 'ls' } }] }],
    ['a right and a wrong call', { calls: [...looks.calls, { name: 'shell', arguments: {} }] }],
  ])('corrects a step with %s', async (_, wrongReply) => {
    const { calls } = await open([[wrongReply, looks]]).step(conversation, createTimeout())
    expect(calls).toMatchObject([{ name: 'look', arguments: { place: 'quay' } }])
  })

  it('fails after a second wrong step', async () => {
    const wrongReply = { calls: [{ name: 'shell', arguments: {} }] }
    await expect(open([[wrongReply, wrongReply]]).step(conversation, createTimeout())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      detail: { reason: expect.stringContaining('shell') },
    })
  })

  it.each([
    ['the words that come again', { text: 'By the quay.' }, 'By the quay.'],
    ['the words before where none come again', { text: '' }, 'I would look.'],
  ])('uses %s as the answer', async (_, second, text) => {
    const model = open([[{ text: 'I would look.' }, second]])
    expect(await model.step(conversation, createTimeout())).toMatchObject({ text, calls: [] })
  })
}

function meterContract(open: Open): void {
  it('is metered per request, including wrong completions', async () => {
    const usages: (Usage | undefined)[] = []
    const estimates: number[] = []
    const model = open([[{ text: 'It is Lund.' }, { text: 'Really.' }]]).metered({
      async sendCounted(estimate, _signal, send) {
        estimates.push(estimate)
        const reply = await send()
        usages.push(reply.usage)
        return reply
      },
    })
    await expect(model.extract({ ...prompt, schema }, createTimeout())).rejects.toMatchObject({
      code: 'MODEL_FAILED',
    })
    expect(usages).toHaveLength(2)
    for (const usage of usages) expect(usage?.inputTokens).toBeGreaterThan(0)
    expect(Math.min(...estimates)).toBeGreaterThan(20)
  })

  it('sends no request if its meter rejects it', async () => {
    const meter = { sendCounted: () => Promise.reject(new Error('nothing left')) }
    await expect(
      open([{ text: 'x' }])
        .metered(meter)
        .write(prompt, createTimeout()),
    ).rejects.toThrow('nothing left')
  })
}
