import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { modelAnswers } from '../../test/servers/model-answers.ts'
import { type ModelReply, startModelServer } from '../../test/servers/model-server.ts'
import { openModel, openSharedModel } from './model.ts'
import { readSettings, SettingsError } from './settings.ts'

afterEach(endJobScenes)
afterEach(() => vi.restoreAllMocks())

const small = { MODEL_KEY: 'word', MODEL_NAME: 'small' }
const ok = { body: modelAnswers('openai').text('{"ok": true}') }
const schemaError = { status: 400, body: { error: { message: 'response_format is not supported' } } }
const wrongKey = { status: 401, body: { error: { message: 'who are you' } } }

async function openTestModel(...replies: ModelReply[]) {
  const server = await startModelServer(...replies)
  onTestFinished(() => server.stop())
  const settings = readSettings({ MODEL_URL: server.url, ...small, MODEL_TIMEOUT_MS: '1000' })
  const { deps } = await jobScene()
  const model = openModel(settings, await openSharedModel(settings), deps)
  if (!model) throw new Error('a model is configured')
  onTestFinished(() => model.stop())
  return { server, model, state: () => model.fact()?.state }
}

describe('the language model of an installation', () => {
  it.each<[string, ModelReply[], object]>([
    ['answers, with strict schemas', [ok], { is: 'working', isStrict: true }],
    ['answers, without strict schemas', [schemaError, schemaError, ok], { is: 'working', isStrict: false }],
    [
      'refuses the key',
      [wrongKey],
      { is: 'broken', reason: expect.stringMatching(/who are you.*MODEL_KEY/) },
    ],
    ['is silent', ['silence'], { is: 'broken', reason: expect.stringContaining('no answer within 1 s') }],
  ])('is tested at startup and %s', async (_, replies, expected) => {
    const { state, model } = await openTestModel(...replies)
    expect(model.fact()).toMatchObject({ name: 'small', protocol: 'openai', state: { is: 'untested' } })
    await expect.poll(state, { timeout: 10_000 }).toMatchObject(expected)
  })

  it('is tested again when its state is read 60 s after a failure', async () => {
    const { state, server } = await openTestModel(wrongKey, ok)
    await expect.poll(state).toMatchObject({ is: 'broken' })
    expect(server.requests).toHaveLength(1)
    const now = performance.now()
    vi.spyOn(performance, 'now').mockReturnValue(now + 61_000)
    expect(state()).toMatchObject({ is: 'broken' })
    await expect.poll(state).toMatchObject({ is: 'working' })
    expect(server.requests).toHaveLength(2)
  })

  it('is undefined if none is configured', async () => {
    const { deps } = await jobScene()
    expect(openModel(readSettings({}), await openSharedModel(readSettings({})), deps)).toBeUndefined()
  })

  it.each([
    ['a protocol that there is not', { MODEL_PROTOCOL: 'morse', ...small }, /MODEL_PROTOCOL is none of/],
    ['no address', { MODEL_PROTOCOL: 'openai', ...small }, /set MODEL_URL/],
  ])('fails the startup with %s', async (_, environment, message) => {
    const opening = openSharedModel(readSettings(environment))
    await expect(opening).rejects.toThrow(SettingsError)
    await expect(opening).rejects.toThrow(message)
  })
})
