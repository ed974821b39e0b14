import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { temporaryFolder } from '../service.ts'
import { descendants, devtools, isRunning, sessionBrowsersOf } from '../sessions.ts'

const openSession = async (service: OwnService, body: object = {}): Promise<Json> =>
  (await service.call('POST', '/v2/browser', { body })).body
const getSession = async (service: OwnService, id: string): Promise<Json> =>
  (await service.call('GET', `/v2/browser/${id}`)).body
const execute = (service: OwnService, id: string, code: string) =>
  service.call('POST', `/v2/browser/${id}/execute`, { body: { code, timeout: 60 } })
const remaining = async (service: OwnService): Promise<number> =>
  (await service.call('GET', '/v2/team/credit-usage')).body.data.remainingCredits

describe('a session whose browser is killed', () => {
  let own: OwnService
  beforeAll(async () => {
    own = await startOwnService({ TEAM_CREDITS: '1000', TEAM_BROWSERS: '1' })
  })
  afterAll(() => own.remove())

  it('ends, frees its slot, and fails its running code', async () => {
    const { id, cdpUrl } = await openSession(own)
    const socket = await devtools(cdpUrl)
    const running = execute(own, id, 'await context.newPage(); await new Promise(() => {})')
    const pages = async () => (await socket.send('Target.getTargets')).result.targetInfos.length
    // The second page shows that the code is running.
    await expect.poll(pages, { timeout: 20_000 }).toBe(2)
    const [browser] = sessionBrowsersOf(own)
    process.kill(browser?.id ?? 0, 'SIGKILL')
    const { status, body } = await running
    expect([status, body.code]).toEqual([502, 'SESSION_FAILED'])
    await socket.closed
    await expect.poll(async () => (await getSession(own, id)).status).toBe('error')
    expect(await getSession(own, id)).toMatchObject({ creditsBilled: 2, error: 'crashed' })
    expect((await execute(own, id, '1')).status).toBe(410)
    expect((await own.call('DELETE', `/v2/browser/${id}`)).status).toBe(200)

    const next = await openSession(own)
    expect((await execute(own, next.id, '1 + 1')).body.result).toBe('2')
    await own.call('DELETE', `/v2/browser/${next.id}`)
  })
})

describe('a service that is killed', () => {
  it('ends its sessions without a charge, and opens others after a restart', {
    timeout: 120_000,
  }, async () => {
    const first = await startOwnService({ TEAM_CREDITS: '1000', TEAM_BROWSERS: '1', LEASE_SECONDS: '3' })
    const { id } = await openSession(first)
    await execute(first, id, '1')
    const processes = descendants(first.process.pid ?? 0)
    expect(processes.length).toBeGreaterThan(3)
    await first.kill()
    await expect.poll(() => processes.filter(({ id }) => isRunning(id))).toEqual([])

    const second = await first.again()
    await expect
      .poll(async () => (await getSession(second, id)).status, { timeout: 40_000 })
      .toBe('destroyed')
    expect(await getSession(second, id)).toMatchObject({ creditsBilled: 0, error: 'interrupted' })
    expect((await execute(second, id, '1')).status).toBe(410)
    expect(await remaining(second)).toBe(1000)
    const next = await openSession(second)
    expect(next.success).toBe(true)
    await second.remove()
  })

  // Only PostgreSQL supports several processes.
  it.skipIf(inject('deployment').store === 'sqlite')(
    'does not block other processes',
    { timeout: 120_000 },
    async () => {
      const owner = await startOwnService({ TEAM_CREDITS: '1000', LEASE_SECONDS: '3' })
      const other = await owner.again()
      const { id } = await openSession(owner)
      expect((await execute(other, id, '1 + 1')).body.result).toBe('2')
      await owner.kill()
      const { status, body } = await execute(other, id, '1')
      expect([502, 410]).toContain(status)
      expect(['SESSION_FAILED', 'SESSION_DESTROYED']).toContain(body.code)
      await expect.poll(async () => (await execute(other, id, '1')).status, { timeout: 40_000 }).toBe(410)
      expect((await other.call('DELETE', `/v2/browser/${id}`)).body).toMatchObject({ creditsBilled: 0 })
      await other.remove()
      await owner.remove()
    },
  )
})

describe('a service that is stopped', () => {
  it('ends its sessions cleanly, and charges them', { timeout: 120_000 }, async () => {
    const first = await startOwnService({ TEAM_CREDITS: '1000' })
    const { id } = await openSession(first)
    const processes = descendants(first.process.pid ?? 0)
    expect(await first.stop()).toBe(0)
    expect(processes.filter(({ id }) => isRunning(id))).toEqual([])
    const second = await first.again()
    expect(await getSession(second, id)).toMatchObject({ status: 'destroyed', creditsBilled: 2 })
    expect(await remaining(second)).toBe(998)
    await second.remove()
  })
})

/** Number of sessions. Set 200 for a long run; a few are enough to detect leaks. */
const cycles = Number(process.env.SESSION_CYCLES ?? 4)

describe('consecutive sessions', () => {
  it('leave no processes, descriptors or files', { timeout: 90_000 + cycles * 5000 }, async () => {
    const folder = temporaryFolder()
    const own = await startOwnService({ TMPDIR: folder.path })
    const pid = own.process.pid ?? 0
    const runSession = async () => {
      const { id } = await openSession(own)
      await execute(own, id, 'page.url()')
      await own.call('DELETE', `/v2/browser/${id}`)
    }
    const countResources = () => ({
      processes: descendants(pid).length,
      descriptors: ownDescriptors(pid).length,
    })
    // The first session opens lasting resources: the listener of the proxy, and connections of the store.
    await runSession()
    const initial = countResources()
    const files = readdirSync(folder.path)
    for (let count = 0; count < cycles; count += 1) await runSession()
    await expect.poll(() => countResources().descriptors).toBeLessThanOrEqual(initial.descriptors + 2)
    // The first session may still have been ending when its processes and files were counted.
    await expect.poll(() => countResources().processes).toBeLessThanOrEqual(initial.processes)
    const metrics = (await own.call('GET', '/metrics')).body
    expect(metrics).toContain('winnow_sessions_open 0')
    const added = () => readdirSync(folder.path).filter((name) => !files.includes(name))
    await expect.poll(added).toEqual([])
    await own.remove()
    folder.remove()
  })
})

/**
 * Returns files and local sockets of a process, such as those to its children. TCP connections of the store and of this
 * test vary, and so do threads. Each thread has an event loop with a pipe and descriptors without a file.
 */
function ownDescriptors(pid: number): string[] {
  const connections = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/${pid}/net/${name}`, 'utf8')
      .split('\n')
      .map((line) => `socket:[${line.trim().split(/\s+/)[9]}]`),
  )
  const links = readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`)
    } catch {
      // The descriptor was closed in the meantime.
      return []
    }
  })
  return links.filter((link) => !/^(?:anon_inode|pipe):/.test(link) && !connections.includes(link))
}
