import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTeam, type Json, startOwnService } from '../api.ts'
import { ended, runExtract, startJob } from '../extracts.ts'
import { temporaryFolder } from '../service.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const people = (rows: [string, string][]) =>
  page(
    'Team',
    `<table><tr><th>Name</th><th>Role</th></tr>${rows.map((row) => `<tr><td>${row[0]}</td><td>${row[1]}</td></tr>`).join('')}</table>`,
  )
const text = { type: 'string' }
const staff = {
  type: 'object',
  properties: {
    members: { type: 'array', items: { type: 'object', properties: { name: text, role: text } } },
  },
}
const folder = temporaryFolder()
const script = join(folder.path, 'script.json')
let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/list/:number': async (exchange) => {
        const number = Number(exchange.params.number)
        await sleep(100 + 100 * number)
        sendHtml(
          exchange,
          people([
            [`Person ${number}`, 'Guest'],
            [`Helper ${number}`, 'Host'],
          ]),
        )
      },
      '/list': (exchange) =>
        sendHtml(exchange, page('List', [0, 1, 2].map((n) => `<a href="/list/${n}">${n}</a>`).join(' '))),
      '/late/:number': async (exchange) => {
        await sleep(500)
        sendHtml(exchange, page('Late', `<p>Room ${exchange.params.number} is free.</p>`))
      },
      '/house/people': (exchange) => sendHtml(exchange, page('People', '<p>It is led by Ada Berg.</p>')),
    },
  })
  const toolCall = (name: string, args: object) => ({ calls: [{ name, arguments: args }] })
  const field = { name: 'director', type: 'string', description: 'Who leads it', itemFields: [] }
  const { url } = site
  const turns = [
    toolCall('scrape', { urls: [`${url}/late/1`, `${url}/late/2`] }),
    toolCall('scrape', { urls: [`${url}/house/people`, `${url}/late/3`] }),
    toolCall('done', { sources: [] }),
  ]
  const claim = { value: 'Ada Berg', quote: 'led by Ada Berg' }
  const scripts = [
    { when: 'The task:', turns },
    { when: 'led by Ada Berg', turns: [{ value: { director: claim } }] },
    { when: 'is free', turns: [{ value: { director: null } }] },
    { turns: [{ value: { fields: [field] } }] },
  ]
  writeFileSync(script, JSON.stringify(scripts))
})
afterAll(async () => {
  await site.stop()
  folder.remove()
})

const urlsOf = (...paths: string[]) => paths.map((path) => `${site.url}${path}`)

describe('an extract whose service is killed', () => {
  it('continues, and is charged once', { timeout: 120_000 }, async () => {
    const credits = 1000
    const own = await startOwnService({ TEAM_CREDITS: String(credits), LEASE_SECONDS: '3' })
    try {
      const key = await own.newTeam()
      const urls = urlsOf(...Array.from({ length: 10 }, (_, index) => `/list/${index}`))
      let service = own
      const client = () => ({
        call: (method: string, path: string, options = {}) => service.call(method, path, { key, ...options }),
      })
      const { id } = await startJob('/v2/extract', { urls, schema: staff }, client())
      for (const delay of [5, 300, 600]) {
        await sleep(delay)
        await service.kill()
        service = await service.again()
      }
      const answer = await ended(`/v2/extract/${id}`, client())
      expect(answer).toMatchObject({ status: 'completed', creditsUsed: 50 })
      expect(answer.data.members).toHaveLength(20)
      const { data } = (await client().call('GET', '/v2/team/credit-usage')).body
      expect(data.remainingCredits).toBe(credits - 50)
      await service.kill()
    } finally {
      await own.remove()
    }
  })
})

describe('the credits of a team', () => {
  it('limit the number of pages that are read', { timeout: 60_000 }, async () => {
    const team = await createTeam({ credits: 12 })
    const request = { urls: urlsOf('/list/*'), schema: staff, ignoreSitemap: true }
    const answer = await runExtract(request, team)
    expect(answer.status).toBe('completed')
    expect(answer.warning).toContain("because the team's credits were used up")
    const many = { urls: urlsOf('/list/0', '/list/1', '/list/2'), schema: staff }
    expect((await team.call('POST', '/v2/extract', { body: many })).status).toBe(402)
  })
})

describe('a value on one page of many', () => {
  it('is requested on each page, even if many similar pages do not have it', {
    timeout: 120_000,
  }, async () => {
    const own = await startOwnService({ MODEL_URL: `script:${script}` })
    try {
      const schema = { type: 'object', properties: { director: { ...text, description: 'Who leads it' } } }
      const extractFrom = (...paths: string[]) => runExtract({ urls: urlsOf(...paths), schema }, own)
      expect((await extractFrom('/late/1', '/late/2', '/late/3', '/late/4', '/late/5')).data).toEqual({})
      expect((await extractFrom('/house/people')).data).toEqual({ director: 'Ada Berg' })
    } finally {
      await own.remove()
    }
  })
})

describe('an agent whose service is killed', () => {
  it('continues at its last step, and is charged once', { timeout: 120_000 }, async () => {
    const first = await startOwnService({ MODEL_URL: `script:${script}`, LEASE_SECONDS: '3' })
    let service = first
    try {
      const { id } = await startJob('/v2/agent', { prompt: `Who leads ${site.url}` }, first)
      for (const delay of [10, 250, 400]) {
        await sleep(delay)
        await service.kill()
        service = await service.again()
      }
      const answer = await ended(`/v2/agent/${id}`, service)
      expect(answer).toMatchObject({ status: 'completed', data: { director: 'Ada Berg' } })
      const { events } = (await service.call('GET', `/v2/agent/${id}/trace`)).body
      const finished = events.filter((event: Json) => event.type === 'tool_call.finished')
      expect(finished.map((event: Json) => event.toolName)).toEqual(['scrape', 'scrape', 'done'])
      // Three pages without a value, and one page with a value.
      expect(answer.creditsUsed).toBe(8)
      await service.kill()
    } finally {
      await service.kill()
      await first.remove()
    }
  })
})
