import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, scrape } from '../api.ts'
import { type Exchange, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const story = [
  'The harbour of the old town was closed for three days after the storm, and no fishing boat could leave.',
  'According to the harbour master, waves of more than six metres were measured at the outer wall on Monday.',
  'The repairs will take until the end of the month, he said, because the stones have to be brought by ship.',
  'Ferries to the islands run again since Thursday, although with fewer departures than usual in this season.',
]
  .map((text) => `<p>${text}</p>`)
  .join('')

const menu =
  '<nav><ul><li><a href="/">Home</a><li><a href="/sport">Sport</a><li><a href="/shop">Shop</a></ul></nav>'
const footer =
  '<footer><p>Copyright Harbour Herald. All rights reserved.</p><a href="/imprint">Imprint</a></footer>'
const title = 'Storm closes the harbour'

/** Bodies of pages with the same title and story, by the position of their headings. */
const bodies: Record<string, string> = {
  'in-header': `<header><a href="/">Herald</a>${menu}<div class="hero"><h1>${title}</h1></div></header><main>${story}</main>`,
  'in-content': `${menu}<main><article><p class="kicker">Weather</p><img src="/a.png" alt="Waves">
    <h1>${title}</h1>${story}</article></main>`,
  twice: `<header>${menu}<h1>${title}</h1></header><main><article><h1>${title}</h1>${story}</article></main>`,
  several: `${menu}<main><h1>Around the town</h1><h1>${title}</h1>${story}<h1>Letters</h1>${story}</main>`,
  sections: `${menu}<main>${story}<h1>Wind</h1>${story}<h1>Water</h1>${story}</main>`,
  below: `${menu}<main><h2>${title}</h2>${story}<h1>Wind</h1>${story}<h1>Water</h1>${story}</main>`,
  logo: `<header><h1 class="logo"><a href="/">Harbour Herald</a></h1>${menu}</header>
    <main><article><h2>${title}</h2>${story}<h3>Ferries</h3>${story}</article></main>`,
  'no-heading': `${menu}<main><article>${story}</article></main>`,
  hidden: `<div style="display:none"><h1>Menu of the phone</h1></div>${menu}<main><h1>${title}</h1>${story}</main>`,
  dialog: `<div role="dialog"><h1>We value your privacy</h1></div>${menu}<main><h1>${title}</h1>${story}</main>`,
}

let site: Site
beforeAll(async () => {
  site = await startSite({ routes: { '/news/:name': (exchange) => sendPage(exchange) } })
})
afterAll(() => site.stop())

function sendPage(exchange: Exchange): void {
  const head = `<head><title>${title} | Harbour Herald</title></head>`
  const body = bodies[exchange.params.name ?? '']
  sendHtml(exchange, `<!doctype html><html>${head}<body>${body}${footer}</body></html>`)
}

const read = async (name: string, options: object = {}): Promise<Json> => {
  const { body } = await scrape({
    url: `${site.url}/news/${name}`,
    formats: ['markdown', 'html'],
    ...options,
  })
  expect(body.error).toBeUndefined()
  return body.data
}

const countOccurrences = (text: string, part: string) => text.split(part).length - 1

describe('the title of a page', () => {
  it.each([
    ['in its header', 'in-header'],
    ['in its content', 'in-content'],
    ['in both', 'twice'],
    ['among other headings of its level', 'several'],
    ['as a heading below those of its parts', 'below'],
    ['below the name of the site', 'logo'],
    ['beside a dialog', 'dialog'],
    ['beside one that is hidden', 'hidden'],
  ])('%s starts its Markdown, and occurs once', async (_, name) => {
    const { markdown, html } = await read(name)
    expect(markdown.split('\n', 1)[0]).toBe(`# ${title}`)
    expect(countOccurrences(markdown, title)).toBe(1)
    expect(countOccurrences(html, title)).toBe(1)
    expect(markdown).toContain('The repairs will take')
  })

  it('is not the heading of a section', async () => {
    const { markdown } = await read('sections')
    expect(markdown).toMatch(/^The harbour of the old town/)
  })

  it('is not taken from the head of the page', async () => {
    const { markdown, metadata } = await read('no-heading')
    expect(markdown).not.toContain(title)
    expect(metadata.title).toContain(title)
  })

  it('is omitted if excludeTags excludes it', async () => {
    const { markdown } = await read('in-header', { excludeTags: ['header'] })
    expect(markdown).not.toContain(title)
    expect(markdown).toContain('The repairs will take')
  })

  it('keeps its position if onlyMainContent is false', async () => {
    const { markdown } = await read('in-header', { onlyMainContent: false })
    expect(markdown.indexOf(title)).toBeGreaterThan(markdown.indexOf('Sport'))
  })
})
