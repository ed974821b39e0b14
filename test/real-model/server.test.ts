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
const lastResponse = () => recorder.exchanges.at(-1)?.answer

describe('a llama.cpp server', () => {
  it('writes text, and reports the tokens that it read and wrote', async () => {
    const { text, usage } = await model().write({ system: 'Be brief.', text: 'Say hello.' }, signal)
    expect(text).not.toBe('')
    const { prompt_tokens, completion_tokens } = lastResponse().usage
    expect(usage).toEqual({ inputTokens: prompt_tokens, outputTokens: completion_tokens })
  })

  it('rejects a wrong key with a clear reason', async () => {
    const call = model({ key: 'another' }).write({ system: 'Be brief.', text: 'Say hello.' }, signal)
    await expect(call).rejects.toMatchObject({
      ...{ code: 'MODEL_FAILED', detail: { hint: expect.stringContaining('MODEL_KEY') } },
    })
  })

  it('rejects more text than its context with a clear reason', async () => {
    const text = 'The lamp stands on the desk. '.repeat(600)
    const call = model({ maxTokensPerCall: 40_000 }).write({ system: 'Be brief.', text }, signal)
    await expect(call).rejects.toMatchObject({
      ...{ code: 'MODEL_FAILED', detail: { reason: expect.stringContaining('context') } },
    })
  })
})
