import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLanguageModel } from '../../src/platform/language-model/open.ts'
import { type Recorder, startRecorder } from '../servers/recorder.ts'
import { type SmallModel, startSmallModel } from '../servers/small-model.ts'

let server: SmallModel
let recorder: Recorder
beforeAll(async () => {
  server = await startSmallModel()
  recorder = await startRecorder(new URL(server.url).origin)
}, 120_000)
afterAll(async () => {
  await recorder?.stop()
  await server?.stop()
})

const model = (changes: { key?: string; maxTokensPerCall?: number } = {}) =>
  openLanguageModel({
    ...{ protocol: 'openai', url: `${recorder.url}/v1`, key: server.key, name: 'smollm2' },
    ...{ timeoutMs: 240_000, maxTokensPerCall: 1000, ...changes },
  })
const { signal } = new AbortController()
const lastAnswer = () => recorder.exchanges.at(-1)?.answer

describe('a server of llama.cpp', () => {
  it('writes, and counts what it has read and written', async () => {
    const { text, usage } = await model().write({ system: 'Be brief.', text: 'Say hello.' }, signal)
    expect(text).not.toBe('')
    const { prompt_tokens, completion_tokens } = lastAnswer().usage
    expect(usage).toEqual({ inputTokens: prompt_tokens, outputTokens: completion_tokens })
  })

  it('refuses a wrong key, and the reason says so', async () => {
    const asked = model({ key: 'another' }).write({ system: 'Be brief.', text: 'Say hello.' }, signal)
    await expect(asked).rejects.toMatchObject({
      ...{ code: 'MODEL_FAILED', detail: { hint: expect.stringContaining('MODEL_KEY') } },
    })
  })

  it('refuses more than its context, and the reason says so', async () => {
    const text = 'The lamp stands on the desk. '.repeat(600)
    const asked = model({ maxTokensPerCall: 40_000 }).write({ system: 'Be brief.', text }, signal)
    await expect(asked).rejects.toMatchObject({
      ...{ code: 'MODEL_FAILED', detail: { reason: expect.stringContaining('context') } },
    })
  })
})
