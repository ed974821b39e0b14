import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { docLinks, documentation, readDocPages, readOutline, renderPage } from './documentation.ts'

const root = join(import.meta.dirname, '../../..')
const pages = readDocPages(root)
const linkOf = docLinks(root, pages)
const docs = documentation(root, async () => [])

const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&').replaceAll('&quot;', '"'),
  )

describe('documentation', () => {
  it('lists every page except decision records', () => {
    const listed = readOutline(pages).flatMap(({ entries }) => entries.map(({ page }) => page.path))
    const all = [...pages.byPath.keys()].filter((path) => !path.startsWith('docs/adr/'))
    expect(all.filter((path) => path !== pages.home.path && !listed.includes(path))).toEqual([])
    expect(listed.length).toBe(new Set(listed).size)
  })

  it('has no broken links', () => {
    const brokenLinks = [...pages.byPath.values()].flatMap((page) => {
      const { html } = renderPage(page, linkOf)
      return attributes(html, 'href').flatMap((href) => {
        const [url = '', anchor] = href.split('#', 2)
        if (!/^(?:\/docs|$)/.test(url) || url === '/docs/reference') return []
        const target = docs.page(url === '' ? page.url : url)
        const exists = target && (anchor === undefined || attributes(target.html, 'id').includes(anchor))
        return exists ? [] : [`${page.path}: ${href}`]
      })
    })
    expect(brokenLinks).toEqual([])
  })

  it('uses every image of the folder, and serves no other files', () => {
    const names = readdirSync(join(root, 'docs/pictures'))
    const usedImages = [...pages.byPath.values()].flatMap((page) =>
      attributes(renderPage(page, linkOf).html, 'src').map((source) => source.replace('/docs/pictures/', '')),
    )
    expect(names.toSorted()).toEqual([...new Set(usedImages)].sort())
    expect(docs.picture('../README.md')).toBeUndefined()
    expect(docs.picture('nowhere.png')).toBeUndefined()
  })

  it('builds llms.txt with the URLs of the Markdown files', () => {
    const text = docs.llms('https://winnow.example')
    expect(text).toMatch(/^# Winnow documentation\n\n> Winnow turns .+\n/)
    expect(text).toMatch(/^## Guides$/m)
    expect(text).toContain('- [Crawl a site](https://winnow.example/docs/guides/crawl.md): every page')
    const urls = [...text.matchAll(/\(https:\/\/winnow\.example(\/docs[^)]*)\.md\)/g)].map(
      ([, url = '']) => url,
    )
    expect(urls.filter((url) => docs.markdown(url) === undefined)).toEqual([])
    const full = docs.llmsFull('https://winnow.example')
    expect(urls.filter((url) => !full.includes(`<!-- https://winnow.example${url} -->`))).toEqual([])
  })

  it('throws FEATURE_NOT_AVAILABLE if it is not installed', () => {
    const missing = documentation(join(root, 'nowhere'), async () => [])
    expect(() => missing.page('/docs')).toThrow(expect.objectContaining({ code: 'FEATURE_NOT_AVAILABLE' }))
  })
})

describe('renderPage', () => {
  const render = (markdown: string) =>
    renderPage({ path: 'docs/x.md', url: '/docs/x', title: 'x', markdown }, linkOf).html

  it('escapes markup and scripts', () => {
    const html = render(
      '<script>a()</script>\n\n<img src=x onerror=a()> [b](javascript:a) ![c](data:x) <!-- d --> [e](//f "g") `<h>`',
    )
    expect(html).not.toMatch(/<(?:script|img|h>|!)|javascript:|data:|href="\/\//)
    expect(html).toContain('&lt;script&gt;')
  })

  it('renders the same example in several languages as a choice', () => {
    const html = render('```sh\na\n```\n\n```ts\nb\n```\n\n```json\nc\n```\n\n```sh\nd\n```')
    expect(html.match(/<fieldset/g)).toHaveLength(1)
    expect(html).toMatch(
      /curl<\/label>.*TypeScript<\/label>.*<code>a.*<code>b.*<\/fieldset>.*<code>c.*<code>d/s,
    )
  })

  it('adds an id to table rows about names', () => {
    const { html } = docs.page('/docs/errors') ?? { html: '' }
    expect(html).toContain('<tr id="SCRAPE_TIMEOUT">')
  })
})
