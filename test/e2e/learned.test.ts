import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { runCommand, temporaryFolder } from '../service.ts'
import { type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** A pot has two values without a name, which only their places tell. */
const pot = (number: number) => ({
  potters: `${towns[number % towns.length]} Potters`,
  oven: 11 + number * 3,
})
const towns = ['Alder', 'Birk', 'Cove', 'Dorn', 'Elm']

const shell = (number: number, content: string) =>
  `<!doctype html><html lang="en"><head><title>Pot ${number}</title></head><body><header class="top"><a href="/">Kilns</a></header>${content}<footer class="end">Thrown by hand</footer></body></html>`

const look = (number: number) => {
  const { potters, oven } = pot(number)
  return shell(
    number,
    `<main><h1>Pot ${number}</h1><div class="k1"><div class="k2">${potters}</div><div class="k3"><span>blue</span><span>⌂ ${oven}</span></div></div><p>Fired at ${1100 + number} degrees.</p></main>`,
  )
}

const newLook = (number: number) => {
  const { potters, oven } = pot(number)
  return shell(
    number,
    `<article class="pot"><section class="facts"><h2>Pot ${number}</h2><ul><li class="n">⌂ ${oven}</li><li class="w">green</li><li class="p">${potters}</li></ul></section><blockquote>A pot for ${number} years.</blockquote></article>`,
  )
}

const routes: Routes = {
  '/pots/:number': (exchange) => sendHtml(exchange, look(Number(exchange.part.number))),
  '/new/:number': (exchange) => sendHtml(exchange, newLook(Number(exchange.part.number))),
}

const schema = {
  type: 'object',
  properties: {
    thrownBy: { type: 'string', description: 'the workshop' },
    hearth: { type: 'integer', description: 'where it was burned' },
  },
}
const rareSchema = {
  type: 'object',
  properties: { ...schema.properties, exhibitedIn: { type: 'string', description: 'the museum' } },
}

/** Reads the page as a model would: each value with its quote. */
const found =
  '"thrownBy": {"value": "{{\\w+ Potters}}", "quote": "{{\\w+ Potters}}"}, "hearth": {"value": {{⌂ (\\d+)}}, "quote": "{{⌂ \\d+}}"}'

const folder = temporaryFolder()
let site: Site
let own: OwnService
beforeAll(async () => {
  const script = join(folder.path, 'script.json')
  const turns = (text: string) => [{ text }]
  writeFileSync(
    script,
    JSON.stringify([
      { when: 'all three', turns: turns(`{${found}, "exhibitedIn": null}`) },
      { when: 'only the museum', turns: turns('{"exhibitedIn": null}') },
      { turns: turns(`{${found}}`) },
    ]),
  )
  site = await startSite({ routes })
  own = await startOwnService({ MODEL_URL: `script:${script}` })
})
afterAll(async () => {
  await own.remove()
  await site.stop()
  folder.remove()
})

interface Reader {
  read(path: string, format?: object, options?: object): Promise<Json>
  calls(): Promise<number>
}

function readerOf(service: OwnService, key: string): Reader {
  return {
    async read(path, format = { type: 'json', schema }, options = {}) {
      const body = { url: site.url + path, formats: [format], maxAge: 0, ...options }
      const answer = await service.call('POST', '/v2/scrape', { key, body })
      expect(answer.status).toBe(200)
      return answer.body.data
    },
    calls: async () =>
      (await service.call('GET', '/v2/team/token-usage', { key })).body.data.modelTokens.calls,
  }
}

const said = (number: number) => ({ thrownBy: pot(number).potters, hearth: pot(number).oven })
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

describe('values of pages alike', () => {
  it('cost the model three pages, after a restart too, until the site changes', {
    timeout: 180_000,
  }, async () => {
    const before = await startOwnService({ MODEL_URL: own.environment.MODEL_URL ?? '' })
    const key = await before.newTeam()
    const reader = readerOf(before, key)
    for (const number of numbers(1, 12)) {
      const data = await reader.read(`/pots/${number}`)
      expect({ number, json: data.json }).toEqual({ number, json: said(number) })
      const by = number <= 3 ? 'model' : 'learned'
      expect({ number, by: data.jsonEvidence.hearth.reader }).toEqual({ number, by })
      expect(data.jsonEvidence.thrownBy.reader).toBe(by)
    }
    expect(await reader.calls()).toBe(3)
    const { jsonEvidence } = await reader.read('/pots/4')
    expect(jsonEvidence.hearth).toEqual({
      ...{ reader: 'learned', text: '⌂ 23', selector: expect.stringContaining('span:nth-of-type(2)') },
    })

    await before.stop()
    const next = await before.again()
    try {
      const later = readerOf(next, key)
      expect((await later.read('/pots/13')).jsonEvidence.hearth.reader).toBe('learned')
      for (const number of numbers(21, 26)) {
        const data = await later.read(`/new/${number}`)
        expect({ number, json: data.json }).toEqual({ number, json: said(number) })
      }
      expect(await later.calls()).toBe(6)
      expect((await later.read('/pots/14')).json).toEqual(said(14))
      expect(await later.calls()).toBe(6)
    } finally {
      await next.remove()
    }
  })

  it('are learned by each team for itself, and by each schema', async () => {
    const [one, other] = [readerOf(own, await own.newTeam()), readerOf(own, await own.newTeam())]
    for (const number of numbers(1, 4)) await one.read(`/pots/${number}`)
    expect((await other.read('/pots/4')).jsonEvidence.hearth.reader).toBe('model')
    const described = { ...schema, description: 'A pot.' }
    const data = await one.read('/pots/5', { type: 'json', schema: described })
    expect(data.jsonEvidence.hearth.reader).toBe('model')
    expect([await one.calls(), await other.calls()]).toEqual([4, 1])
  })

  it('are asked for rarely where pages do not state them, and the answer says so', async () => {
    const reader = readerOf(own, await own.newTeam())
    const all = { type: 'json', schema: rareSchema, prompt: 'all three' }
    for (const number of numbers(1, 3)) {
      const data = await reader.read(`/pots/${number}`, all)
      expect(data.warning).toContain('not found on the page, and left out: exhibitedIn')
    }
    const data = await reader.read('/pots/4', all)
    expect(data.json).toEqual(said(4))
    expect(data.warning).toContain('pages alike do not state exhibitedIn')
    expect(data.warning).toContain('left out: exhibitedIn')
    expect(await reader.calls()).toBe(3)
  })

  it('are not learned where nothing may be kept, nor where learning is off', async () => {
    await runCommand(['key', 'set', '--team', 'default', '--zero-retention', 'on'], own.environment)
    const silent = readerOf(own, own.key)
    for (const number of numbers(1, 4))
      await silent.read(`/pots/${number}`, undefined, { zeroDataRetention: true })
    expect(await silent.calls()).toBe(4)
    const off = await startOwnService({
      ...{ MODEL_URL: own.environment.MODEL_URL ?? '', LEARNED_EXTRACTORS: 'off' },
    })
    try {
      const reader = readerOf(off, off.key)
      for (const number of numbers(1, 4)) await reader.read(`/pots/${number}`)
      expect(await reader.calls()).toBe(4)
    } finally {
      await off.remove()
    }
  })

  it('are read without the model in a batch, once they are known', async () => {
    const key = await own.newTeam()
    const reader = readerOf(own, key)
    for (const number of numbers(1, 3)) await reader.read(`/pots/${number}`)
    const body = {
      urls: numbers(4, 12).map((number) => `${site.url}/pots/${number}`),
      ...{ formats: [{ type: 'json', schema }], maxAge: 0 },
    }
    const { id } = (await own.call('POST', '/v2/batch/scrape', { key, body })).body
    const batch = async () => (await own.call('GET', `/v2/batch/scrape/${id}`, { key })).body
    await expect.poll(async () => (await batch()).status).toBe('completed')
    const hearths = (await batch()).data.map(({ json }: Json) => json.hearth)
    expect(hearths.toSorted((one: number, other: number) => one - other)).toEqual(
      numbers(4, 12).map((number) => pot(number).oven),
    )
    expect(await reader.calls()).toBe(3)
  })

  it('are learned by pages that are read at once', async () => {
    const reader = readerOf(own, await own.newTeam())
    await Promise.all(numbers(1, 4).map((number) => reader.read(`/pots/${number}`)))
    const before = await reader.calls()
    const data = await reader.read('/pots/8')
    expect([data.json, data.jsonEvidence.hearth.reader]).toEqual([said(8), 'learned'])
    expect(await reader.calls()).toBe(before)
  })
})
