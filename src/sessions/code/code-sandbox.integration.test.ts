import { type Duplex, duplexPair, PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import type { SandboxEnd } from '../../platform/ports/sandbox.ts'
import { startCodeSandbox } from './code-sandbox.ts'

/** Creates a sandbox without processes; the test writes to the channels instead. */
async function createScene() {
  const ended = Promise.withResolvers<SandboxEnd>()
  const outside: Duplex[] = []
  const inside: Duplex[] = []
  const received: string[] = []
  let kills = 0
  const sandbox = {
    async start({ channels }: { channels: number }) {
      for (let index = 0; index < channels; index += 1) {
        const [outer, inner] = duplexPair()
        outside.push(outer)
        inside.push(inner)
        received.push('')
        inner.on('data', (bytes) => {
          received[index] += String(bytes)
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
  const readChannel = async (index: number) => {
    await new Promise(setImmediate)
    return received[index] ?? ''
  }
  return { code, write, said: readChannel, end: ended.resolve, kills: () => kills }
}

type Scene = Awaited<ReturnType<typeof createScene>>

/** Channels of the supervisor and of Python: calls, then its two outputs. */
const [supervisor, calls, stdout, stderr] = [0, 4, 5, 6]

async function createReadyScene(): Promise<Scene> {
  const scene = await createScene()
  const ready = scene.code.ready('python')
  await scene.write(calls, '{"ready":true}\n')
  expect(await ready).toBeUndefined()
  return scene
}

/** Returns the nonce of a call, which only the runner receives. */
const getNonce = (text: string) => /(\w{32}) \d+\n/.exec(text)?.[1] ?? ''

describe('startCodeSandbox', () => {
  it('starts a language on its own channels', async () => {
    const { said } = await createReadyScene()
    const [, token] = /^start python (\w{32}) 7 8 9\n$/.exec(await said(supervisor)) ?? []
    expect(token).toBeDefined()
    expect(await said(calls)).toBe(`\n${token}\n`)
  })

  it('starts a language once', async () => {
    const { code, said } = await createReadyScene()
    expect(await code.ready('python')).toBeUndefined()
    expect((await said(supervisor)).split('\n')).toHaveLength(2)
  })

  it('accepts only the response with the nonce of the call', async () => {
    const { code, write, said } = await createReadyScene()
    const call = code.call('python', 'é')
    const text = await said(calls)
    expect(text).toMatch(/\w{32} 2\né$/)
    await write(calls, '{"nonce":"forged","exitCode":9,"result":"no"}\n')
    await write(calls, `{"nonce":"${getNonce(text)}","exitCode":3,"result":"yes","isTruncated":false}\n`)
    expect(await call).toMatchObject({ by: 'answer', exitCode: 3, result: 'yes' })
  })

  it('reports the end of a runner and starts it again', async () => {
    const { code, write, said } = await createReadyScene()
    const call = code.call('python', 'exit()')
    await write(supervisor, 'ended perl 1\nended python 7\n')
    expect(await call).toEqual({ by: 'runner', exitCode: 7 })
    void code.ready('python')
    expect((await said(supervisor)).match(/^start python/gm)).toHaveLength(2)
  })

  it('resolves settle() after all output of the call was read', async () => {
    const { code, write, said } = await createReadyScene()
    code.output('python').stdout.begin()
    code.output('python').stderr.begin()
    let isSettled = false
    const settled = code.settle('python').then(() => {
      isSettled = true
    })
    const [, token] = /mark python (\w{32})\n/.exec(await said(supervisor)) ?? []
    await write(stdout, `out${token}`)
    expect(isSettled).toBe(false)
    await write(stderr, `${token}`)
    await settled
    expect(code.output('python').stdout.take().text).toBe('out')
  })

  it('ends the sandbox if code writes more than the output limit', async () => {
    const { code, write, end, kills } = await createReadyScene()
    const call = code.call('python', 'print')
    await write(stdout, 'x'.repeat(1024 * 1024 + 1))
    await expect.poll(kills).toBe(1)
    end({ exitCode: null })
    expect(await call).toEqual({ by: 'sandbox', exceeded: { limit: 'output', max: 1 } })
  })

  it('ends the sandbox if code writes more than 1000 lines to the response channel', async () => {
    const { code, write, end, kills } = await createReadyScene()
    const call = code.call('python', 'forge')
    await write(calls, 'x\n'.repeat(1001))
    await expect.poll(kills).toBe(1)
    end({ exitCode: null })
    expect(await call).toEqual({ by: 'sandbox', exceeded: { limit: 'messages', max: 1000 } })
  })
})
