import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileCacheEnvironment } from '../../src/platform/compile-cache.ts'
import { tellGuardian } from '../guard.ts'
import { main, temporaryFolder } from '../service.ts'
import { descendants } from '../sessions.ts'
import { type Site, startSite } from '../site/site.ts'
import { runInTerminal } from '../terminal.ts'
import { isWhole } from './faults.ts'
import { startOn, stores } from './on-each-store.ts'

const folder = temporaryFolder()
let site: Site
beforeAll(async () => {
  site = await startSite({ routes: { '/never': () => {} } })
})
afterAll(async () => {
  await site.stop()
  folder.remove()
})

/** Returns the environment of a service that writes only to its own folders. */
function ownFolders(name: string) {
  const own = { data: join(folder.path, name, 'data'), temporary: join(folder.path, name, 'tmp') }
  mkdirSync(own.temporary, { recursive: true })
  const environment = {
    ...{ PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: own.data, TMPDIR: own.temporary },
    ...compileCacheEnvironment(),
  }
  return { ...own, environment, log: join(folder.path, name, 'log') }
}

const remainingIn = (path: string) => readdirSync(path).filter((name) => !name.startsWith('winnow-compiled-'))
const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Runs a shell line in a terminal, and waits until the service that it starts listens. */
async function startInShell(
  shell: string,
  line: string,
  { log, environment }: ReturnType<typeof ownFolders>,
) {
  const terminal = runInTerminal([shell, '-c', line], { ...environment, LOG: log })
  const urlOf = () => /listens on (\S+)/.exec(textOf(log) + terminal.shown())?.[1]
  await expect.poll(urlOf, { timeout: 40_000 }).toBeDefined()
  const [service] = descendants(process.pid).filter(
    ({ command }) => command.includes(main) && !/^(?:script|\S*sh|nohup) /.test(command),
  )
  tellGuardian('start', service?.id)
  return { terminal, url: urlOf() ?? '', pid: service?.id ?? 0 }
}

const node = `'${process.execPath}' '${main}'`

describe('a hangup', { timeout: 120_000 }, () => {
  it.each(stores)('stops the service in order on %s, and a call in progress gets 503', async (store) => {
    const { temporary } = ownFolders(store)
    const { service, call, read, stop } = await startOn(store, { TMPDIR: temporary, TEAM_CREDITS: '1000' })
    try {
      const charges = 'select count(*) from ledger where job_id is not null'
      const running = call('POST', '/v2/scrape', { body: { url: `${site.url}/never`, timeout: 120_000 } })
      await expect.poll(async () => (await call('GET', '/v2/concurrency-check')).body.concurrency).toBe(1)
      service.process.kill('SIGHUP')
      const [response] = await Promise.all([running, once(service.process, 'exit')])
      expect(response).toMatchObject({ status: 503, body: { success: false, code: 'CALL_INTERRUPTED' } })
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(service.process.exitCode).toBe(0)
      expect(remainingIn(temporary)).toEqual([])
      expect(Number(await read(charges))).toBe(0)
      expect(await read("select state from jobs where kind = 'scrape'")).toBe('failed')
    } finally {
      await stop()
    }
  })

  it('of a terminal stops the service in order, although its output is closed', async () => {
    const own = ownFolders('terminal')
    // This shell forwards the hangup and waits for its child, as an interactive shell does.
    const line = `${node} & child=$!; trap 'kill -HUP $child' HUP; wait $child; wait $child; echo "code $?" > "$LOG"`
    const { terminal } = await startInShell('/bin/sh', line, own)
    terminal.hangUp()
    await expect.poll(() => textOf(own.log), { timeout: 40_000 }).toBe('code 0\n')
    expect(remainingIn(own.temporary)).toEqual([])
  })

  const lines = [
    ['nohup in a terminal', '/bin/sh', `nohup ${node} > "$LOG" 2>&1; true`],
    [
      'nohup of bash without a terminal as input',
      '/bin/bash',
      `nohup ${node} < /dev/null > "$LOG" 2>&1; true`,
    ],
    ['a script that ignores hangups', '/bin/sh', `trap '' HUP; ${node} < /dev/null > "$LOG" 2>&1; true`],
  ] as const
  it.each(isWhole ? lines : lines.slice(0, 1))('is ignored after %s', async (name, shell, line) => {
    const own = ownFolders(name.replaceAll(' ', '-'))
    const { url, pid } = await startInShell(shell, line, own)
    process.kill(pid, 'SIGHUP')
    process.kill(pid, 'SIGHUP')
    await expect.poll(() => textOf(own.log)).toContain('SIGHUP')
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    process.kill(pid, 'SIGTERM')
    await expect.poll(() => remainingIn(own.temporary), { timeout: 40_000 }).toEqual([])
  })
})
