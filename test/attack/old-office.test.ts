import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answer, type OwnService, startOwnService } from '../api.ts'
import { type Canary, startCanary } from '../servers/canary.ts'
import { temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'
import { attackClass } from './attack.ts'
import { officeFiles } from './old-office-files.ts'

/**
 * Office files with programs, links and broken containers. The service must return text or a coded error, and must
 * not run, fetch or leave anything.
 */
let site: Site
let canary: Canary
let own: OwnService
const temporary = temporaryFolder()
const marker = join(temporary.path, 'marker')

beforeAll(async () => {
  canary = await startCanary()
  site = await startSite({
    routes: {
      '/file': ({ url, response }) => response.end(bytesOf(url.searchParams.get('of') ?? '')),
    },
  })
  own = await startOwnService({ TMPDIR: temporary.path })
})
afterAll(async () => {
  await own.remove()
  await Promise.all([site.stop(), canary.stop()])
  temporary.remove()
})

const bytesOf = (name: string) =>
  officeFiles[name]?.bytes({ url: `http://127.0.0.1:${canary.port}`, path: marker }) ?? Buffer.alloc(0)

async function parse(name: string): Promise<Answer> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(bytesOf(name))]), officeFiles[name]?.name)
  const headers = { authorization: `Bearer ${own.key}` }
  const response = await fetch(`${own.url}/v2/parse`, { method: 'POST', headers, body })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const scrape = (name: string) =>
  own.call('POST', '/v2/scrape', {
    body: { url: `${site.url}/file?of=${encodeURIComponent(name)}`, maxAge: 0 },
  })

function findHarm({ status, body }: Answer): string | undefined {
  if (own.process.exitCode !== null || own.process.signalCode !== null) return 'the process has ended'
  if (canary.touched.length > 0) return `connected to ${canary.touched.join(', ')}`
  if (existsSync(marker)) return 'a command was run'
  if (own.output().includes('EVENT_LOOP_BLOCKED')) return 'the main thread was blocked'
  if (JSON.stringify(body).includes('root:x:')) return 'the answer contains a file of the machine'
  const isText = status === 200 && typeof body.data?.markdown === 'string'
  const isCoded = status >= 400 && typeof body.code === 'string' && body.code !== 'INTERNAL'
  return isText || isCoded ? undefined : `answered ${status} ${JSON.stringify(body).slice(0, 200)}`
}

const names = Object.keys(officeFiles)

attackClass({
  name: 'old Office files with macros, links and broken containers, uploaded',
  vectors: names,
  short: 22,
  concurrency: 3,
  run: async (name) => findHarm(await parse(name)),
})

attackClass({
  name: 'old Office files with macros, links and broken containers, scraped',
  vectors: names,
  short: 6,
  concurrency: 3,
  run: async (name) => findHarm(await scrape(name)),
})

it('leaves no files of uploads or conversions behind', () => {
  const remaining = readdirSync(temporary.path, { recursive: true }).map(String)
  expect(remaining.filter((path) => /winnow-(document|upload|ocr)-/.test(path))).toEqual([])
})

it('still reads a plain file of each kind', async () => {
  const { body } = await parse('doc: macros')
  expect(body.data.markdown).toContain('The lamp was lit at dusk.')
})
