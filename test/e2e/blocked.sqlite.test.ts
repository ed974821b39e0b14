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

const fetchModes: [string, object][] = [
  ['by HTTP', {}],
  ['in a browser', { waitFor: 1 }],
]
const allContent = { onlyMainContent: false, formats: ['markdown', 'html', 'links'] }
const textOf = ({ markdown, html, links }: Json) => JSON.stringify([markdown, html, links])

describe.each(fetchModes)('ads and cookie dialogs, %s', (_, fetchOptions) => {
  it('are in no format, with and without onlyMainContent', async () => {
    for (const onlyMainContent of [true, false]) {
      const text = textOf(await data('/ads/page', { ...allContent, ...fetchOptions, onlyMainContent }))
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
  ])('are removed with all their text: %s', async (name, expectedText) => {
    const text = textOf(await data(`/consent/${name}`, { ...allContent, ...fetchOptions }))
    expect(text).toContain('Paragraph 12')
    expect(text).not.toContain(expectedText)
  })

  it.each([
    ['newsletter', 'Our letter about cookies and cakes'],
    ['article', 'A fair dialog has two buttons'],
  ])('are not detected in other content: %s', async (name, expectedText) => {
    expect((await data(`/consent/${name}`, { ...allContent, ...fetchOptions })).markdown).toContain(
      expectedText,
    )
  })

  it('stay if blockAds is false', async () => {
    const off = { ...allContent, ...fetchOptions, blockAds: false }
    expect((await data('/ads/page', off)).markdown).toContain('Buy this lamp.')
    expect((await data('/consent/onetrust', off)).markdown).toContain('We use cookies')
  })
})

describe('a frame that the browser did not load', () => {
  it('does not appear as a link', async () => {
    const { markdown, html } = await data('/ads/page', { ...allContent, waitFor: 1 })
    expect(markdown + html).not.toContain('/pagead/js/frame')
  })
})

describe('a loaded frame', () => {
  it.each([
    ['of the same site', '/framed', 3],
    ['of another', '/framed/elsewhere', 4],
  ])('returns its content if includeTags selects it: %s', async (_, path, number) => {
    const formats = ['markdown', 'html', 'rawHtml']
    const { markdown, html } = await data(path, { includeTags: ['#inner'], formats })
    expect(markdown).toContain(`This is the text of page ${number}.`)
    expect(markdown).not.toContain('The page around')
    expect(markdown).not.toContain(`/pages/${number})`)
    expect(html).toContain(`This is the text of page ${number}.`)
  })

  it('leaves no internal attributes in html and rawHtml', async () => {
    const { markdown, html, rawHtml } = await data('/framed', {
      waitFor: 1,
      formats: allContent.formats.concat('rawHtml'),
    })
    expect(markdown).toContain('This is the text of page 3.')
    expect(html + rawHtml).not.toContain('data-winnow')
  })
})
