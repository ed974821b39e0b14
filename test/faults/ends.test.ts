import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../servers/until.ts'
import { startService, temporaryFolder } from '../service.ts'
import { descendants, isRunning } from '../sessions.ts'
import { isWhole } from './faults.ts'
import { startFleet } from './fleet.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = temporaryFolder()
let started: ChildProcess | undefined
afterEach(() => void started?.kill('SIGKILL'))

/** Starts a command as in a terminal, and waits until the service runs. */
async function run(
  command: string,
  args: string[],
  environment: Record<string, string>,
  ready: (pid: number) => boolean,
) {
  const child = spawn(command, args, { cwd: root, env: { ...process.env, ...environment }, stdio: 'ignore' })
  started = child
  const pid = child.pid ?? 0
  await until('the start', 50_000, async () => ready(pid) || undefined)
  return { child, all: [pid, ...descendants(pid).map(({ id }) => id)] }
}

const services = (pid: number) =>
  descendants(pid).filter(({ command }) => /\bmain\.(?:ts|js)\b/.test(command))

describe('an end', { timeout: 120_000 }, () => {
  // Hangups have their own test file.
  it.each(isWhole ? (['SIGTERM', 'SIGKILL', 'SIGHUP'] as const) : (['SIGTERM', 'SIGKILL'] as const))(
    'of npm start by %s ends the service',
    async (signal) => {
      const data = join(folder.path, `npm-${signal}`)
      const environment = { DATA_DIR: data, PORT: '0', PREPARE_TOOLS: 'off' }
      const { child, all } = await run('npm', ['start'], environment, () => existsSync(join(data, 'api-key')))
      child.kill(signal)
      await once(child, 'exit')
      await expect.poll(() => all.filter(isRunning), { timeout: 25_000 }).toEqual([])
    },
  )

  it.runIf(isWhole)('of npm start by a hangup does not end a service under nohup', async () => {
    const data = join(folder.path, 'nohup')
    const environment = { DATA_DIR: data, PORT: '0', PREPARE_TOOLS: 'off' }
    const line = 'nohup npm start < /dev/null; true'
    const { all } = await run('bash', ['-c', line], environment, () => existsSync(join(data, 'api-key')))
    const [npm = 0, service = 0] = all.slice(1)
    process.kill(npm, 'SIGHUP')
    await expect.poll(() => isRunning(npm)).toBe(false)
    // Twice as long as a process needs to notice that its npm has ended.
    await sleep(1000)
    expect(isRunning(service)).toBe(true)
    process.kill(service, 'SIGTERM')
    await expect.poll(() => all.filter(isRunning), { timeout: 25_000 }).toEqual([])
  })

  const testSignals = ['SIGKILL', ...(isWhole ? (['SIGINT'] as const) : [])] as const
  it.each(testSignals)('of a test run by %s leaves no processes behind', async (signal) => {
    const args = ['node_modules/.bin/vitest', 'run', '--project', 'sqlite', 'test/e2e/service.sqlite.test.ts']
    const { child, all } = await run(
      process.execPath,
      args,
      { VITEST: '' },
      (pid) => services(pid).length > 0,
    )
    child.kill(signal)
    await once(child, 'exit')
    await expect.poll(() => all.filter(isRunning), { timeout: 25_000 }).toEqual([])
  })

  it('while the database is unavailable is orderly and in time', async () => {
    const fleet = await startFleet(['all'])
    const unfreeze = fleet.postgres.freeze()
    try {
      expect(await fleet.services[0]?.stop()).toBe(0)
    } finally {
      unfreeze()
      await fleet.stop()
    }
  })

  it('by a kill leaves unfinished blobs that the next start removes', async () => {
    const data = join(folder.path, 'blobs-of-a-killed')
    const first = await startService({ DATA_DIR: data })
    await first.kill()
    const unfinished = join(data, 'blobs', 'unfinished')
    mkdirSync(unfinished, { recursive: true })
    writeFileSync(join(unfinished, 'half'), 'half')
    const second = await startService({ DATA_DIR: data })
    expect(existsSync(join(unfinished, 'half'))).toBe(false)
    await second.stop()
  })
})
