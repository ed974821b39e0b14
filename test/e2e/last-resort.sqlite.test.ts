import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { until } from '../servers/until.ts'
import { devtools } from '../sessions.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let service: OwnService
beforeAll(async () => {
  site = await startSite()
  service = await startOwnService({ NODE_OPTIONS: '--inspect=127.0.0.1:0' })
})
afterAll(async () => {
  await service.remove()
  await site.stop()
})

/** Throws inside the running service, outside all of its error handlers. */
async function throwInside(running: OwnService, statement: string): Promise<void> {
  const debuggerUrl = /Debugger listening on (ws:\S+)/.exec(running.output())?.[1] ?? ''
  const debug = await devtools(debuggerUrl)
  await debug.send('Runtime.evaluate', { expression: statement })
  debug.close()
}

describe('an uncaught error', () => {
  it.each([
    ['thrown', "setTimeout(() => { throw new Error('planted') })"],
    ['rejected', "void Promise.reject(new Error('planted'))"],
  ])('%s: running calls complete, the process exits, and no job is lost', async (_, statement) => {
    const batch = {
      urls: [0, 1, 2, 3].map((index) => `${site.url}/slow?ms=800&n=${index}-${Math.random()}`),
      maxAge: 0,
    }
    const { id } = (await service.call('POST', '/v2/batch/scrape', { body: batch })).body
    const path = `/slow?ms=1500&n=${Math.random()}`
    const call = service.call('POST', '/v2/scrape', { body: { url: site.url + path, maxAge: 0 } })
    await until('the call to run', 10_000, async () => site.hits(path) || undefined)
    const exited = once(service.process, 'exit')
    await throwInside(service, statement)
    expect((await call).status).toBe(200)
    expect(await exited).toEqual([1, null])
    expect(service.output()).toContain('uncaught error')
    expect(service.output()).toContain('planted')
    service = await service.again()
    await expect
      .poll(async () => (await service.call('GET', `/v2/batch/scrape/${id}`)).body.status, {
        timeout: 60_000,
      })
      .toBe('completed')
    expect((await service.call('GET', `/v2/batch/scrape/${id}`)).body.completed).toBe(4)
  })
})
