import { afterAll, beforeAll, describe, it } from 'vitest'
import { extracted } from '../extracts.ts'
import { page, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const product = (name: string, price: string, more = '') =>
  page(name, `<dl><dt>Price</dt><dd>${price}</dd>${more}</dl><p>A thing to put on a desk.</p>`)
const people = (rows: [string, string][]) =>
  page(
    'Team',
    `<table><tr><th>Name</th><th>Role</th></tr>${rows.map((row) => `<tr><td>${row[0]}</td><td>${row[1]}</td></tr>`).join('')}</table>`,
  )
const routes: Routes = {
  '/lamp': (exchange) => sendHtml(exchange, product('Desk lamp', '40 €')),
  '/lamp/review': (exchange) =>
    sendHtml(exchange, product('Desk lamp', '38 €', '<dt>Weight</dt><dd>2 kg</dd>')),
  '/lamp/shop': (exchange) => sendHtml(exchange, product('Desk lamp', '38 €')),
  '/chair': (exchange) =>
    sendHtml(exchange, product('Chair', '90 €', '<dt>Colour</dt><dd>Red</dd><dt>Weight</dt><dd>9 kg</dd>')),
  '/team/1': (exchange) =>
    sendHtml(
      exchange,
      people([
        ['Ada Berg', 'Director'],
        ['Olof Ek', 'Engineer'],
      ]),
    ),
  '/team/2': (exchange) =>
    sendHtml(
      exchange,
      people([
        ['Olof Ek', 'Engineer'],
        ['Siv Lund', 'Editor'],
      ]),
    ),
  '/shelf': (exchange) =>
    sendHtml(exchange, page('Shelf', '<a href="/shelf/one">One</a> <a href="/shelf/two">Two</a>')),
  '/shelf/one': (exchange) => sendHtml(exchange, people([['Ada Berg', 'Director']])),
  '/shelf/two': (exchange) => sendHtml(exchange, people([['Siv Lund', 'Editor']])),
}
let site: Site
beforeAll(async () => {
  site = await startSite({ routes })
})
afterAll(() => site.stop())

const at = (...paths: string[]) => paths.map((path) => `${site.url}${path}`)
const text = { type: 'string' }
const thing = {
  type: 'object',
  properties: { title: text, price: { type: 'number' }, weight: text, colour: text },
}
const staff = {
  type: 'object',
  properties: {
    members: { type: 'array', items: { type: 'object', properties: { name: text, role: text } } },
  },
}

describe.concurrent('an extract without a language model', () => {
  it('reads several pages by one schema, and joins their lists', async ({ expect }) => {
    const answer = await extracted({ urls: at('/team/1', '/team/2'), schema: staff, showSources: true })
    expect(answer).toMatchObject({ success: true, status: 'completed', creditsUsed: 10, tokensUsed: 150 })
    expect(answer.data.members).toEqual([
      { name: 'Ada Berg', role: 'Director' },
      { name: 'Olof Ek', role: 'Engineer' },
      { name: 'Siv Lund', role: 'Editor' },
    ])
    expect(answer.sources['members[1].name']).toEqual(at('/team/1', '/team/2'))
    expect(answer.sources['members[2].role']).toEqual(at('/team/2'))
    expect(answer.conflicts).toEqual([])
    expect(Date.parse(answer.expiresAt)).toBeGreaterThan(Date.now())
  })

  it('takes the value that most pages state, and shows the others', async ({ expect }) => {
    const urls = at('/lamp', '/lamp/review', '/lamp/shop')
    const answer = await extracted({ urls, schema: thing, showSources: true })
    expect(answer.data).toEqual({ title: 'Desk lamp', price: 38, weight: '2 kg' })
    expect(answer.conflicts).toMatchObject([
      {
        path: 'price',
        chosen: 38,
        values: [
          { value: 38, sources: at('/lamp/review', '/lamp/shop'), reader: 'label' },
          { value: 40, sources: at('/lamp'), text: '40 €' },
        ],
      },
    ])
    expect(answer.warning).toContain('disagree on price')
    expect(answer.warning).toContain('left out: colour')
  })

  it('does not mix two things, and says where it had to', async ({ expect }) => {
    const answer = await extracted({ urls: at('/lamp', '/chair'), schema: thing, showSources: true })
    expect(answer.data).toMatchObject({ title: 'Desk lamp', price: 40 })
    expect(answer.conflicts.map(({ path }: { path: string }) => path)).toEqual(['title', 'price'])
    expect(answer.warning).toContain('name different things; only one about another of them states')
  })
})
