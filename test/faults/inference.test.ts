import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { childrenOf } from '../child-processes.ts'
import { sentenceModelFolder } from '../sentence-model.ts'
import { temporaryFolder } from '../service.ts'
import { isRunning } from '../sessions.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { isWhole } from './faults.ts'
import { type StoredService, startOn, stores } from './on-each-store.ts'

const stops = Number(process.env.FAULTS_STOPS ?? (isWhole ? 12 : 2))
/** More pages than the service indexes before the last stop. */
const pages = 24

let versions = 0
/** Returns a page with new text for each request. A copy of a page would reuse the vector of that page. */
function freshPage(): string {
  versions += 1
  const words = Array.from({ length: 300 }, (_, index) => `word${(versions * 7919 + index * 31) % 9973}`)
  return `<!doctype html><html lang="en"><title>Page ${versions}</title><main><p>${versions} versions of this page have come: ${words.join(' ')}.</p></main>`
}

const folder = temporaryFolder()
let site: Site
beforeAll(async () => {
  const route = (exchange: Parameters<typeof sendHtml>[0]) => sendHtml(exchange, freshPage())
  const paths = Array.from({ length: pages }, (_, number) => [`/fresh/${number}`, route] as const)
  site = await startSite({ routes: Object.fromEntries(paths) })
})
afterAll(async () => {
  await site.stop()
  folder.remove()
})

const modelsOf = ({ service }: StoredService) => childrenOf(service.process.pid ?? 0, 'serve-model')
const hasLibrary = (pid: number) =>
  existsSync(`/proc/${pid}/maps`) && readFileSync(`/proc/${pid}/maps`, 'utf8').includes('onnxruntime')
const count = async ({ read }: StoredService, condition: string) =>
  Number(await read(`select count(*) from search_documents where ${condition}`, 'search'))

describe.skipIf(sentenceModelFolder === undefined && !isWhole).each(stores)(
  'a stop during inference on %s',
  (store) => {
    it(`exits with 0 and leaves no files or processes, ${stops} times`, { timeout: 900_000 }, async () => {
      const temporary = join(folder.path, store)
      mkdirSync(temporary)
      const stored = await startOn(store, {
        ...{ TMPDIR: temporary, SEARCH_SENTENCE_MODEL: sentenceModelFolder ?? '', TEAM_CONCURRENCY: '16' },
        ...{ RATE_PER_MINUTE: '1000000', SEARCH_VECTORS: 'always' },
      })
      try {
        for (let stop = 0; stop < stops; stop += 1) {
          if (stop > 0) await stored.startAgain()
          // The service computes vectors of stored pages while no caller waits.
          const urls = Array.from(
            { length: pages },
            (_, number) => `${site.url}/fresh/${number}?stop=${stop}`,
          )
          // The first page creates the index.
          const before = stop === 0 ? 0 : await count(stored, 'vector is not null')
          await Promise.all(
            urls.map((url) =>
              stored.call('POST', '/v2/scrape', { body: { url, maxAge: 0, fastMode: true } }),
            ),
          )
          await expect
            .poll(() => modelsOf(stored).some(hasLibrary), { timeout: 30_000, interval: 5 })
            .toBe(true)
          // Each stop comes later in the work: from the loading of the model to its twelfth document.
          const isReached = async () => (await count(stored, 'vector is not null')) >= before + stop
          await expect.poll(isReached, { timeout: 30_000, interval: 20 }).toBe(true)
          const models = modelsOf(stored)
          const code = await stored.service.stop()
          const signal = stored.service.process.signalCode
          const log = code === 0 ? '' : stored.service.output().slice(-4000)
          expect({ code, signal, said: log }).toEqual({ code: 0, signal: null, said: '' })
          expect(readdirSync(temporary)).toEqual([])
          await expect.poll(() => models.filter(isRunning)).toEqual([])
          // The stop came before all vectors were computed.
          expect(await count(stored, 'vector_due is not null')).toBeGreaterThan(0)
        }
      } finally {
        await stored.stop()
      }
    })
  },
)
