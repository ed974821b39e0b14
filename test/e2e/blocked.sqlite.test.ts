import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, scrape } from '../api.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let other: Site
beforeAll(async () => {
  other = await startSite()
  site = await startSite({
    routes: {
      '/framed': (exchange) => sendHtml(exchange, framed('/pages/3')),
      '/framed/elsewhere': (exchange) => sendHtml(exchange, framed(`${other.url}/pages/4`)),
    },
  })
})
afterAll(() => Promise.all([site.stop(), other.stop()]))

const framed = (source: string) => {
  const text = '<p>The page around the frame has a few words of its own, as most have.</p>'.repeat(8)
  return page('Around', `${text}<iframe id="inner" src="${source}"></iframe>`)
}

const data = async (path: string, options: object = {}): Promise<Json> => {
  const { body } = await scrape({ url: site.url + path, maxAge: 0, ...options })
  expect(body.error).toBeUndefined()
  return body.data
}

const roads: [string, object][] = [
  ['by HTTP', {}],
  ['in a browser', { waitFor: 1 }],
]
const whole = { onlyMainContent: false, formats: ['markdown', 'html', 'links'] }
const textOf = ({ markdown, html, links }: Json) => JSON.stringify([markdown, html, links])

describe.each(roads)('ads and cookie dialogs, %s', (_, road) => {
  it('are in no format, whatever part of the page is wanted', async () => {
    for (const onlyMainContent of [true, false]) {
      const text = textOf(await data('/ads/page', { ...whole, ...road, onlyMainContent }))
      expect(text).toContain('Paragraph 12')
      expect(text).not.toContain('Buy this lamp.')
      expect(text).not.toContain('doubleclick.net')
    }
  })

  it.each([
    ['onetrust', 'We use cookies'],
    ['cookiebot', 'This website uses cookies'],
    ['unknown', 'Diese Website verwendet Cookies'],
    ['accept-only', 'agree to our cookies'],
    ['wall', 'We value your privacy'],
    ['named', 'Biscuits are stored'],
  ])('leave no word behind: %s', async (name, words) => {
    const text = textOf(await data(`/consent/${name}`, { ...whole, ...road }))
    expect(text).toContain('Paragraph 12')
    expect(text).not.toContain(words)
  })

  it.each([
    ['newsletter', 'Our letter about cookies and cakes'],
    ['article', 'A fair dialog has two buttons'],
  ])('are not seen where there are none: %s', async (name, words) => {
    expect((await data(`/consent/${name}`, { ...whole, ...road })).markdown).toContain(words)
  })

  it('stay where blockAds is off', async () => {
    const off = { ...whole, ...road, blockAds: false }
    expect((await data('/ads/page', off)).markdown).toContain('Buy this lamp.')
    expect((await data('/consent/onetrust', off)).markdown).toContain('We use cookies')
  })
})

describe('what a browser did not load', () => {
  it('is not shown as a link either', async () => {
    const { markdown, html } = await data('/ads/page', { ...whole, waitFor: 1 })
    expect(markdown + html).not.toContain('/pagead/js/frame')
  })
})

describe('a frame', () => {
  it.each([
    ['of the same site', '/framed', 3],
    ['of another', '/framed/elsewhere', 4],
  ])('that includeTags names gives its content: %s', async (_, path, number) => {
    const formats = ['markdown', 'html', 'rawHtml']
    const { markdown, html } = await data(path, { includeTags: ['#inner'], formats })
    expect(markdown).toContain(`This is the text of page ${number}.`)
    expect(markdown).not.toContain('The page around')
    expect(markdown).not.toContain(`/pages/${number})`)
    expect(html).toContain(`This is the text of page ${number}.`)
  })

  it('shows nothing of how it was read', async () => {
    const { markdown, html, rawHtml } = await data('/framed', {
      waitFor: 1,
      formats: whole.formats.concat('rawHtml'),
    })
    expect(markdown).toContain('This is the text of page 3.')
    expect(html + rawHtml).not.toContain('data-winnow')
  })
})
