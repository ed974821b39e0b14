import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../content/tree/parse.ts'
import { type ReadJson, readJson } from '../read-json.ts'
import { learn } from './learn.ts'
import { emptyMemory, type LearnedMemory, mostCandidates, mostTemplates, parseMemory } from './memory.ts'
import type { Observation } from './observe.ts'
import type { LearnedOrder } from './use-learned.ts'

interface Boat {
  wright: string
  berths?: number
  mast?: number
}

const schema = {
  type: 'object',
  properties: { wright: { type: 'string' }, berths: { type: 'integer' }, mast: { type: 'number' } },
}
const boats: Boat[] = [
  { wright: 'Ada Holm', berths: 4, mast: 9.5 },
  { wright: 'Ben Lund', berths: 6, mast: 11 },
  { wright: 'Cara Vik', berths: 2, mast: 7.5 },
  { wright: 'Dag Strand', berths: 8, mast: 14 },
  { wright: 'Eva Dahl', berths: 5, mast: 10.5 },
  { wright: 'Finn Berg', berths: 3, mast: 8 },
]

type Look = (boat: Boat) => string
const cell = (value: unknown, unit = '') => (value === undefined ? '' : `<span>${value}${unit}</span>`)
const plain: Look = ({ wright, berths, mast }) =>
  `<div class="a"><p class="b">${wright}</p><div class="c">${cell(berths)}${cell(mast, ' m')}</div></div>`

function pageOf(content: string, data?: Boat): string {
  const stated = data
    ? `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', ...data })}</script>`
    : ''
  return `<!doctype html><html lang="en"><head><title>Boat</title>${stated}</head><body><nav class="n"><a>All</a></nav><main>${content}</main></body></html>`
}

/** Pages of a site, read one after the other, each with what the ones before it have taught. */
function startSite(asked: unknown = schema) {
  let memory: LearnedMemory = emptyMemory()
  let pages = 0
  const read = (html: string, taught?: LearnedOrder['taught'], path = `/boats/${pages}`): ReadJson => {
    pages += 1
    const url = `https://harbour.example${path}`
    const context = { url, base: url, language: 'en', title: 'Boat' }
    const order = { memory: JSON.stringify(memory), ...(taught ? { taught } : {}) }
    const result = readJson(parseHtml(html), asked, context, order)
    if (result.observation) memory = learn(memory, sent(result.observation))
    return result
  }
  return {
    read,
    memory: () => memory,
    teach(look: Look, list: readonly Boat[] = boats.slice(0, 3)) {
      for (const boat of list) read(pageOf(look(boat), boat))
    },
  }
}

/** As it travels between threads. */
const sent = (observation: Observation) => structuredClone(observation)

const [, , , fourth = boats[0] as Boat, fifth = fourth, sixth = fourth] = boats

describe('learned places', () => {
  it('give the values of the fourth page, with their evidence', () => {
    const site = startSite()
    site.teach(plain)
    const { value, evidence, missing } = site.read(pageOf(plain(fourth)))
    expect(value).toEqual(fourth)
    expect(missing).toEqual([])
    expect(evidence.mast).toEqual({
      ...{ text: '14 m', reader: 'learned', selector: expect.stringMatching(/span:nth-of-type\(2\)$/) },
    })
  })

  it('are not used before three pages have taught them, nor on a page of another template', () => {
    const site = startSite()
    site.teach(plain, boats.slice(0, 2))
    expect(site.read(pageOf(plain(fourth))).value).toBeUndefined()
    site.teach(plain, [fifth])
    const other = `<ul class="list">${boats.map(({ wright }) => `<li class="l"><h3>${wright}</h3><em>1</em></li>`).join('')}</ul><form class="f"><input name="q"><button>Go</button></form>`
    expect(site.read(pageOf(other)).value).toBeUndefined()
    expect(site.read(pageOf(plain(sixth))).value).toEqual(sixth)
  })

  it('count a page once, however often it is read', () => {
    const site = startSite()
    for (let time = 0; time < 4; time += 1) site.read(pageOf(plain(fourth), fourth), undefined, '/same')
    site.read(pageOf(plain(fifth), fifth), undefined, '/other')
    expect(site.memory().templates.map(({ taught }) => taught)).toEqual([2])
    expect(site.read(pageOf(plain(sixth))).value).toBeUndefined()
  })

  it('prove nothing by a value that is the same everywhere, unless it is so on many pages', () => {
    const site = startSite()
    const same = boats.map((boat) => ({ ...boat, wright: 'Ada Holm' }))
    site.teach(plain, same.slice(0, 3))
    expect(site.read(pageOf(plain(fourth))).value).not.toHaveProperty('wright')
    site.teach(plain, same.slice(3, 5))
    expect(site.read(pageOf(plain(fourth))).value).toEqual(fourth)
  })

  it('do not take the neighbour of a value that is left out', () => {
    const [noMast, noBerths] = [
      { wright: 'Gro Moe', berths: 7 },
      { wright: 'Gro Moe', mast: 12 },
    ]
    const site = startSite()
    site.teach(plain)
    // It may be the first of one or the first of two.
    expect(site.read(pageOf(plain(noMast))).value).toEqual({ wright: 'Gro Moe' })
    site.teach(plain, [{ wright: 'Hal Ness', berths: 9 }])
    expect(site.read(pageOf(plain(noMast))).value).toEqual(noMast)
    expect(site.read(pageOf(plain(noBerths))).value).not.toHaveProperty('berths')
  })

  it('follow the label before a value where rows come and go', () => {
    const rows: Look = ({ wright, berths, mast }) =>
      `<table class="t"><tr><td>Timmerman</td><td>${wright}</td></tr>${berths === undefined ? '' : `<tr><td>Kojen</td><td>${berths}</td></tr>`}<tr><td>Hoch</td><td>${mast}</td></tr></table>`
    const site = startSite()
    site.teach(rows)
    const fewer = { wright: 'Gro Moe', mast: 12 }
    expect(site.read(pageOf(rows(fewer))).value).toEqual(fewer)
  })

  it('read a part of a text', () => {
    const joined: Look = ({ wright, berths, mast }) =>
      `<p class="j">#${berths} ${wright}</p><p class="k">from ${(mast ?? 0) - 1} to ${mast} m</p>`
    const site = startSite()
    site.teach(joined)
    expect(site.read(pageOf(joined(fourth))).value).toEqual(fourth)
  })

  it('are forgotten when they are wrong, and learned anew', () => {
    const swapped: Look = ({ wright, berths, mast }) =>
      `<div class="a"><p class="b">${wright}</p><div class="c">${cell(mast)}${cell(berths, ' m')}</div></div>`
    const site = startSite()
    site.teach(plain)
    site.teach(swapped, boats.slice(2, 5))
    expect(site.read(pageOf(swapped(sixth))).value).toEqual(sixth)
  })

  it('are learned from what a model has found, and what it never finds is asked for rarely', () => {
    const site = startSite()
    for (const { wright, berths } of boats.slice(0, 3))
      site.read(pageOf(plain({ wright, berths: berths ?? 0 })), {
        values: { wright, berths },
        absent: ['mast'],
      })
    const { value, unasked } = site.read(
      pageOf(plain({ wright: 'Gro Moe', berths: 9 })),
      undefined,
      '/boats/x',
    )
    expect(value).toEqual({ wright: 'Gro Moe', berths: 9 })
    expect(unasked).toEqual(['mast'])
    const asked = Array.from({ length: 100 }, (_, at) =>
      site.read(pageOf(plain(fourth)), undefined, `/again/${at}`),
    )
    const again = asked.filter((page) => page.unasked.length === 0).length
    expect(again).toBeGreaterThan(2)
    expect(again).toBeLessThan(25)
  })

  it('take the place of rules that were wrong on pages alike', () => {
    const named: Look = ({ wright, berths, mast }) =>
      `<div class="berths">${(berths ?? 0) + 100}</div><div class="q"><b>${wright}</b><i>${berths}</i><u>${mast}</u></div>`
    const site = startSite()
    expect(site.read(pageOf(named(fourth)), undefined, '/alone').value).toMatchObject({ berths: 108 })
    site.teach(named)
    expect(site.read(pageOf(named(fourth))).value).toEqual(fourth)
  })

  it('hold lists of values', () => {
    const listSchema = { type: 'object', properties: { crew: { type: 'array', items: { type: 'string' } } } }
    const crews = [['Ada', 'Ben'], ['Cara'], ['Dag', 'Eva', 'Finn'], ['Gro', 'Hal']]
    const site = startSite(listSchema)
    const look = (crew: string[]) =>
      `<ul class="w">${crew.map((one) => `<li class="v">${one}</li>`).join('')}</ul><ul class="x"><li>Help</li></ul>`
    for (const crew of crews.slice(0, 3)) site.read(pageOf(look(crew)), { values: { crew }, absent: [] })
    expect(site.read(pageOf(look(crews[3] ?? []))).value).toEqual({ crew: ['Gro', 'Hal'] })
  })
})

describe('the memory of learned places', () => {
  it('keeps few templates and few places', () => {
    const site = startSite()
    for (let number = 0; number < mostTemplates + 4; number += 1) {
      const parts = Array.from(
        { length: 12 },
        (_, at) => `<div class="${'xyz'[number % 3]}${'abcdefghijkl'[number]}${'mnopqrstuvwx'[at]}">9</div>`,
      )
      site.read(pageOf(parts.join('') + plain(fourth) + '<b>9</b>'.repeat(100), { ...fourth, berths: 9 }))
    }
    const { templates } = site.memory()
    expect(templates).toHaveLength(mostTemplates)
    const places = templates.flatMap(({ fields }) =>
      Object.values(fields).map((field) => field.places.length),
    )
    expect(Math.max(...places)).toBeLessThanOrEqual(mostCandidates)
  })

  it('is the same whichever of two pages comes first', () => {
    const observed = boats.slice(0, 3).map((boat, at) => {
      const url = `https://harbour.example/${at}`
      const context = { url, base: url, language: 'en', title: '' }
      const { observation } = readJson(parseHtml(pageOf(plain(boat), boat)), schema, context, {
        memory: undefined,
      })
      return observation as Observation
    })
    const seen = (order: Observation[]) => {
      const [template] = order.reduce(learn, emptyMemory()).templates
      const places = template?.fields.berths?.places ?? []
      return places
        .filter((place) => place.seen === 3)
        .map(({ locator, values }) => [locator.by, locator.nth, values.length])
        .sort()
    }
    expect(seen(observed)).toEqual(seen(observed.toReversed()))
    expect(seen(observed).length).toBeGreaterThan(2)
  })

  it('of another version is forgotten', () => {
    expect(parseMemory('{"version": 0, "templates": [1]}')).toEqual(emptyMemory())
  })

  it('takes fields of any name', () => {
    const asked = {
      type: 'object',
      properties: { constructor: { type: 'string' }, ['__proto__']: { type: 'string' } },
    }
    const site = startSite(JSON.parse(JSON.stringify(asked)))
    for (const { wright } of boats.slice(0, 3))
      site.read(pageOf(plain({ wright })), { values: { constructor: wright }, absent: ['__proto__'] })
    expect(site.read(pageOf(plain(fourth))).value).toEqual({ constructor: 'Dag Strand' })
  })
})
