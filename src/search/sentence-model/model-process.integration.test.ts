import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { childrenOf } from '../../../test/child-processes.ts'
import { sentenceModelFolder } from '../../../test/sentence-model.ts'
import { silentLog } from '../../platform/log.ts'
import { createModelProcess, type ModelProcess, maxTextsOfCall } from './model-process.ts'
import { dimensions } from './open-model.ts'

const models: ModelProcess[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const model of models.splice(0)) model.stop()
})

function start(folder = sentenceModelFolder ?? '', idleMs = 60_000): ModelProcess {
  const model = createModelProcess({ folder, idleMs }, silentLog)
  models.push(model)
  return model
}

const { signal } = new AbortController()
const call = (team = 'a') => ({ who: { team }, signal })
/** Returns texts that need more than one request to the process. */
const textsFor = (about: string) => Array.from({ length: 64 }, (_, at) => `${about} at ${at}. `.repeat(30))
const modelPids = () => childrenOf(process.pid, 'serve-model')

describe.skipIf(sentenceModelFolder === undefined)('createModelProcess', () => {
  it('returns a vector for each text, in their order', async () => {
    const model = start()
    const texts = Array.from({ length: 20 }, (_, at) => `Text ${at}`)
    const all = await model.embed(texts, call())
    const last = await model.embed(texts.slice(-1), call())
    if (!('vectors' in all) || !('vectors' in last)) throw new Error('no vectors')
    expect(all.vectors.map(({ length }) => length)).toEqual(Array(20).fill(dimensions))
    expect(all.vectors.map(({ buffer }) => buffer.byteLength)).toEqual(Array(20).fill(dimensions))
    expect(all.vectors.at(-1)).toEqual(last.vectors[0])
  })

  // `test/attack/sentence-model.test.ts` proves that the service itself does not load it. This process cannot
  // be checked, because other tests may have loaded it.
  it('loads the library in a separate process', async () => {
    await start().embed(['tide'], call())
    const [pid] = modelPids()
    expect(readFileSync(`/proc/${pid}/maps`, 'utf8')).toContain('onnxruntime')
  })

  it('reads texts of any length, and rejects too many texts', async () => {
    const model = start()
    const long = 'a '.repeat(5_000_000)
    expect(await model.embed(Array(9).fill(long), call())).toHaveProperty('vectors')
    await expect(model.embed(Array(maxTextsOfCall + 1).fill('x'), call())).rejects.toThrow('At most')
  })

  it('completes a call whose process is killed, and the next call', async () => {
    const model = start()
    await model.embed(['tide'], call())
    const [pid] = modelPids()
    const pendingCall = model.embed(textsFor('the tide'), call())
    await sleep(30)
    process.kill(pid ?? 0, 'SIGKILL')
    expect(await pendingCall).toHaveProperty('vectors')
    expect(await model.embed(['moon'], call())).toHaveProperty('vectors')
    expect(modelPids()).not.toContain(pid)
  })

  it('ends while idle, after all callers have aborted', async () => {
    const model = start(sentenceModelFolder, 300)
    for (let round = 0; round < 12; round += 1) {
      const controller = new AbortController()
      const pendingCall = model.embed(textsFor('the moon'), { who: { team: 'a' }, signal: controller.signal })
      setTimeout(() => controller.abort(new Error('left')), 6 + round * 3)
      await expect(pendingCall).rejects.toThrow('left')
    }
    await expect.poll(modelPids, { timeout: 20_000 }).toEqual([])
    expect(await model.embed(['tide'], call())).toHaveProperty('vectors')
  })

  it('serves another team between the requests of one team', async () => {
    const model = start()
    const controller = new AbortController()
    let ended = 0
    const flood = Array.from({ length: 6 }, async () => {
      await model.embed(textsFor('the sea'), { who: { team: 'many' }, signal: controller.signal })
      ended += 1
    })
    expect(await model.embed(['tide'], call('one'))).toHaveProperty('vectors')
    expect(ended).toBe(0)
    controller.abort()
    await Promise.allSettled(flood)
  })

  it('serves a caller before background work of another team', async () => {
    const model = start()
    const ended: string[] = []
    const ask = async (name: string, isBackground: boolean) => {
      await model.embed(['x '.repeat(500)], { who: { team: name, isBackground }, signal })
      ended.push(name)
    }
    await Promise.all([ask('first', false), ask('behind', true), ask('caller', false)])
    expect(ended).toEqual(['first', 'caller', 'behind'])
  })

  it('fails pending calls when it is stopped', async () => {
    const model = start()
    const pendingCalls = [model.embed(textsFor('the tide'), call()), model.embed(['moon'], call('b'))]
    await sleep(50)
    model.stop()
    for (const outcome of await Promise.all(pendingCalls)) expect(outcome).toHaveProperty('failure')
    await expect.poll(modelPids, { timeout: 10_000 }).toEqual([])
  })
})

it('returns an obstacle for a model that cannot be loaded, and does not retry immediately', async () => {
  const model = start('/nowhere')
  const outcome = await model.embed(['tide'], call())
  expect(outcome).toMatchObject({ obstacle: expect.stringContaining('onnxruntime-node') })
  for (const pid of modelPids()) process.kill(pid, 'SIGKILL')
  expect(await model.embed(['tide'], call())).toEqual(outcome)
  await expect.poll(modelPids, { timeout: 10_000 }).toEqual([])
})

it('returns a failure if the process cannot be started', async () => {
  vi.stubEnv('TMPDIR', '/nowhere')
  const failure = { failure: expect.stringContaining('/nowhere') }
  expect(await start('/nowhere').embed(['tide'], call())).toMatchObject(failure)
})
