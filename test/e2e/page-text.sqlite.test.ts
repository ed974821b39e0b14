import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, scrape } from '../api.ts'
import { type Exchange, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** Pages by name. Each value is a body, or a head and a body. */
const pages: Record<string, string> = {
  drawing: '<p>Before.</p><svg viewBox="0 0 8 8"><title/><path d="M0 0"/></svg><p>Behind the drawing.</p>',
  'drawing-open': '<div><svg><g><svg><title>Sign</svg><p>Behind the drawing.</p></div><p>And the end.</p>',
  frame: '<noscript><iframe src="/count.html" height="0" /></noscript><p>Behind the frame.</p>',
  comment: '<noscript><!-- <img src="/count.gif"> </noscript><p>Behind the comment.</p></div>',
  closed: '<p>Before.</p><textarea name="q" /><p>Behind the field.</p>',
  template: '<p>Before.</p><template><table><tr><td>Row</template><p>Behind the template.</p>',
  object: `<p>Before.</p><object data="/a.swf" /><p>${'Behind the object stands the text of this page. '.repeat(9)}</p>`,
  table:
    '<table>Above the cells.<colgroup>In the columns.<tr><td>One<td>Two<tr>Between.<td>Three<td>Four</table>',
  terms:
    '<dl>Before the terms.<dt>Buoy<dd>It floats.<p>A paragraph.</p></dl><dl><div>No term at all.</div></dl>',
  silent: '<canvas></canvas><select><option>One</select>',
  unended: '<p>Before.</p><!-- never closed <p>All the rest of the page.</p>',
}

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/text/:name': (exchange) => sendPage(exchange),
      '/reference/:name': (exchange) => sendHtml(exchange, corpusFile(`${exchange.params.name}.html`)),
    },
  })
})
afterAll(() => site.stop())

function sendPage(exchange: Exchange): void {
  const { name = '' } = exchange.params
  sendHtml(
    exchange,
    `<!doctype html><html><head><title>Text</title></head><body>${pages[name]}</body></html>`,
  )
}

const corpusFile = (name: string) =>
  readFileSync(new URL(`../corpus/markdown/${name}`, import.meta.url), 'utf8')

const read = async (name: string, options: object = {}): Promise<Json> => {
  const { body } = await scrape({ url: `${site.url}/text/${name}`, formats: ['markdown'], ...options })
  expect(body.error).toBeUndefined()
  return body.data
}

const fullPage = { onlyMainContent: false }

describe('text after', () => {
  it.each([
    ['an element of a drawing that closes itself', 'drawing', ['Before.', 'Behind the drawing.']],
    ['a drawing in a drawing, left open', 'drawing-open', ['Behind the drawing.', 'And the end.']],
    ['a frame in noscript', 'frame', ['Behind the frame.']],
    ['a comment in noscript', 'comment', ['Behind the comment.']],
    ['a field that only seems closed', 'closed', ['Before.', 'Behind the field.']],
    ['a template with an open table', 'template', ['Before.', 'Behind the template.']],
    ['an object that is never closed', 'object', ['Before.', 'Behind the object stands the text']],
  ])('%s is read', async (_, name, texts) => {
    const { markdown } = await read(name)
    for (const text of texts) expect(markdown).toContain(text)
  })
})

describe('misplaced content', () => {
  it('in a table is read', async () => {
    const { markdown } = await read('table', fullPage)
    for (const text of ['Above the cells.', 'In the columns.', 'Between.']) expect(markdown).toContain(text)
    expect(markdown).toContain('| One | Two |')
  })

  it('in a list of terms is read', async () => {
    const { markdown } = await read('terms', fullPage)
    for (const text of ['Before the terms.', 'It floats.', 'A paragraph.', 'No term at all.']) {
      expect(markdown).toContain(text)
    }
  })
})

describe('a page without readable content', () => {
  it.each([
    ['by HTTP', { fastMode: true }],
    ['in a browser', { waitFor: 1 }],
  ])('returns a warning, fetched %s and from the cache', async (mode, options) => {
    const fetched = await read('silent', { ...options, maxAge: 0 })
    expect(fetched.markdown, mode).toBe('')
    expect(fetched.warning).toContain('its Markdown is')
    const cached = await read('silent', options)
    expect(cached.warning).toContain('its Markdown is')
  })

  it('warns that it ends inside a comment', async () => {
    const { markdown, warning } = await read('unended', { fastMode: true })
    expect(markdown).toContain('Before.')
    expect(warning).toContain('ends inside a comment')
  })
})

describe('a reference page', () => {
  it.each([
    ...['admonitions', 'api-redoc', 'api-scalar', 'api-summary-table', 'api-swagger-ui', 'code-captions'],
    ...['code-languages', 'doxygen-members', 'footnotes-reference', 'headings-that-link-to-themselves'],
    ...['lists-without-holes', 'notebook', 'signatures', 'signatures-sphinx', 'table-alignment'],
    ...[
      'table-lists-in-cells',
      'tabs-aria',
      'tabs-docusaurus',
      'tabs-mkdocs',
      'tabs-sphinx',
      'tabs-vitepress',
    ],
  ])('is converted to the expected Markdown: %s', async (name) => {
    const url = `${site.url}/reference/${name}`
    const { body } = await scrape({ url, formats: ['markdown'], onlyMainContent: false })
    const markdown: string = body.data.markdown
    const normalized = [url, `${site.url}/reference/`, `${site.url}/`].reduce(
      (text, prefix) => text.replaceAll(prefix, 'https://x.test/'),
      markdown,
    )
    expect(`${normalized}\n`).toBe(corpusFile(`${name}.md`))
  })
})
