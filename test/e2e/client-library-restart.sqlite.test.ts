import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Winnow } from '../../client/src/index.ts'
import { type OwnService, startOwnService } from '../api.ts'
import { temporaryFolder } from '../service.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const gate = Promise.withResolvers<void>()
const folder = temporaryFolder()
let site: Site
let first: OwnService
let second: OwnService | undefined
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/gate/:page': async (exchange) => {
        await gate.promise
        sendHtml(exchange, page('Gate', `<p>Page ${exchange.params.page} behind the gate.</p>`))
      },
      '/office': (exchange) => sendHtml(exchange, page('Office', '<p>It opened in Lund in 1998.</p>')),
    },
  })
  const script = join(folder.path, 'script.json')
  const steps = [{ calls: [{ name: 'scrape', arguments: { urls: [`${site.url}/office`] } }] }]
  const done = { calls: [{ name: 'done', arguments: { answer: 'It opened in Lund in 1998.' } }] }
  const pageReply = { value: { answer: 'The house opened in Lund in 1998.', sentences: [1] } }
  writeFileSync(
    script,
    JSON.stringify([
      { when: 'The task: When did it open?', turns: [...steps, done] },
      { turns: [pageReply] },
    ]),
  )
  first = await startOwnService({
    MODEL_URL: `script:${script}`,
    TEAM_CREDITS: '1000',
    LEASE_SECONDS: '3',
  })
})
afterAll(async () => {
  await (second ?? first).remove()
  await site.stop()
  folder.remove()
})

it('reads all pages of a job although the service is killed and restarted, and runs an agent afterwards', async () => {
  const winnow = new Winnow({ baseUrl: first.url, apiKey: first.key })
  const urls = [`${site.url}/pages/1`, `${site.url}/pages/2`, `${site.url}/gate/1`, `${site.url}/gate/2`]
  const job = await winnow.startBatch(urls)
  const pages = job[Symbol.asyncIterator]()
  const seen = [(await pages.next()).value, (await pages.next()).value]
  await first.kill()
  const third = pages.next()
  second = await first.again({ PORT: new URL(first.url).port })
  gate.resolve()
  seen.push((await third).value)
  for await (const document of pages) seen.push(document)
  expect(seen.map((document) => document?.metadata.url).sort()).toEqual([...urls].sort())
  const agentResult = await winnow.agent('When did it open?', { mode: 'chat', urls: [`${site.url}/office`] })
  expect(agentResult).toMatchObject({ status: 'completed', message: expect.stringContaining('1998') })
})
