import { type Duplex, duplexPair, PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import type { SandboxEnd } from '../../platform/ports/sandbox.ts'
import { startCodeSandbox } from './code-sandbox.ts'

/** A sandbox in which nothing runs: the test says what its programs would. */
async function openScene() {
  const ended = Promise.withResolvers<SandboxEnd>()
  const outside: Duplex[] = []
  const inside: Duplex[] = []
  const heard: string[] = []
  let kills = 0
  const sandbox = {
    async start({ channels }: { channels: number }) {
      for (let index = 0; index < channels; index += 1) {
        const [ours, theirs] = duplexPair()
        outside.push(ours)
        inside.push(theirs)
        heard.push('')
        theirs.on('data', (bytes) => {
          heard[index] += String(bytes)
        })
      }
      return {
        ...{ stdout: new PassThrough(), stderr: new PassThrough(), channels: outside },
        ended: ended.promise,
        residentMegabytes: () => 0,
        async kill() {
          kills += 1
        },
      }
    },
  }
  const code = await startCodeSandbox({
    sandbox,
    connections() {},
    programs: { python: undefined, agentBrowser: undefined },
    limits: { megabytes: 100, files: 100, connections: 10, outputMegabytes: 1 },
    log: silentLog,
  })
  const write = async (index: number, text: string) => {
    inside[index]?.write(text)
    await new Promise(setImmediate)
  }
  const said = async (index: number) => {
    await new Promise(setImmediate)
    return heard[index] ?? ''
  }
  return { code, write, said, end: ended.resolve, kills: () => kills }
}

type Scene = Awaited<ReturnType<typeof openScene>>

/** Channels of the supervisor, and of Python: calls, then its two outputs. */
const [supervisor, calls, stdout, stderr] = [0, 4, 5, 6]

async function readyScene(): Promise<Scene> {
  const scene = await openScene()
  const ready = scene.code.ready('python')
  await scene.write(calls, '{"ready":true}\n')
  expect(await ready).toBeUndefined()
  return scene
}

/** The word that only the runner knows. */
const nonceIn = (text: string) => /(\w{32}) \d+\n/.exec(text)?.[1] ?? ''

describe('the sandbox of a session', () => {
  it('has the supervisor start a language on channels of its own', async () => {
    const { said } = await readyScene()
    const [, word] = /^start python (\w{32}) 7 8 9\n$/.exec(await said(supervisor)) ?? []
    expect(word).toBeDefined()
    expect(await said(calls)).toBe(`\n${word}\n`)
  })

  it('starts a language once', async () => {
    const { code, said } = await readyScene()
    expect(await code.ready('python')).toBeUndefined()
    expect((await said(supervisor)).split('\n')).toHaveLength(2)
  })

  it('takes the answer that knows the word of the call, and no other', async () => {
    const { code, write, said } = await readyScene()
    const call = code.call('python', 'é')
    const text = await said(calls)
    expect(text).toMatch(/\w{32} 2\né$/)
    await write(calls, '{"nonce":"forged","exitCode":9,"result":"no"}\n')
    await write(calls, `{"nonce":"${nonceIn(text)}","exitCode":3,"result":"yes","isTruncated":false}\n`)
    expect(await call).toMatchObject({ by: 'answer', exitCode: 3, result: 'yes' })
  })

  it('tells of the end of a runner, which is then started anew', async () => {
    const { code, write, said } = await readyScene()
    const call = code.call('python', 'exit()')
    await write(supervisor, 'ended perl 1\nended python 7\n')
    expect(await call).toEqual({ by: 'runner', exitCode: 7 })
    void code.ready('python')
    expect((await said(supervisor)).match(/^start python/gm)).toHaveLength(2)
  })

  it('has read all that a call wrote when it is settled', async () => {
    const { code, write, said } = await readyScene()
    code.output('python').stdout.begin()
    code.output('python').stderr.begin()
    let isSettled = false
    const settled = code.settle('python').then(() => {
      isSettled = true
    })
    const [, word] = /mark python (\w{32})\n/.exec(await said(supervisor)) ?? []
    await write(stdout, `out${word}`)
    expect(isSettled).toBe(false)
    await write(stderr, `${word}`)
    await settled
    expect(code.output('python').stdout.take().text).toBe('out')
  })

  it('is ended by code that writes too much, and says why', async () => {
    const { code, write, end, kills } = await readyScene()
    const call = code.call('python', 'print')
    await write(stdout, 'x'.repeat(1024 * 1024 + 1))
    await expect.poll(kills).toBe(1)
    end({ exitCode: null })
    expect(await call).toEqual({ by: 'sandbox', exceeded: { limit: 'output', most: 1 } })
  })

  it('is ended by code that answers for its runner without end', async () => {
    const { code, write, end, kills } = await readyScene()
    const call = code.call('python', 'forge')
    await write(calls, 'x\n'.repeat(1001))
    await expect.poll(kills).toBe(1)
    end({ exitCode: null })
    expect(await call).toEqual({ by: 'sandbox', exceeded: { limit: 'messages', most: 1000 } })
  })
})
