import { describe, expect, it } from 'vitest'
import { type ContentOptions, readPage } from './content.ts'

const fullPage: ContentOptions = {
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
}

function read(body: string, options: Partial<ContentOptions> = {}, contentType = 'text/html; charset=utf-8') {
  const url = 'https://example.test/a/b.html'
  const headers = { 'content-type': contentType }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(body), fetchedAt: 0 }
  return readPage(page, { ...fullPage, ...options })
}

describe('readPage with an HTML page', () => {
  const html = `<html lang=en><head><title>T</title><base href="/root/"></head><body>
    <nav><a href="n">Menu</a></nav><p>Hello <a href="w">world</a> <img src="i.png" alt="I"></p></body></html>`

  it('returns every part from one parse, resolved against the base of the page', () => {
    const content = read(html)
    expect(content.rawHtml()).toBe(html)
    expect(content.markdown()).toBe(
      '[Menu](https://example.test/root/n)\n\n' +
        'Hello [world](https://example.test/root/w) ![I](https://example.test/root/i.png)',
    )
    expect(content.html()).toContain('<a href="https://example.test/root/w">world</a>')
    expect(content.links()).toEqual(['https://example.test/root/n', 'https://example.test/root/w'])
    expect(content.images()).toEqual(['https://example.test/root/i.png'])
    expect(content.metadata()).toEqual({ title: 'T', language: 'en' })
    expect(content.warnings()).toEqual([])
  })

  it('computes each part once', () => {
    const content = read(html)
    expect(content.links()).toBe(content.links())
    expect(content.metadata()).toBe(content.metadata())
  })

  it('returns links and images of the complete page with onlyMainContent', () => {
    const content = read(html, { onlyMainContent: true })
    expect(content.markdown()).not.toContain('Menu')
    expect(content.links()).toContain('https://example.test/root/n')
  })
})

describe('includeTags and excludeTags', () => {
  const html =
    '<nav>n</nav><div class=a><p>1</p><p class=b>2</p></div><p>3</p><iframe src="/f" title="F"></iframe>'

  it('keep matching elements in document order, nested ones once', () => {
    expect(read(html, { includeTags: ['p', '.a'] }).html()).toBe(
      '<div class="a"><p>1</p><p class="b">2</p></div><p>3</p>',
    )
  })

  it('keep frames', () => {
    const content = read(html, { includeTags: ['iframe'] })
    expect(content.html()).toBe('<iframe src="https://example.test/f" title="F"></iframe>')
    expect(content.markdown()).toBe('[F](https://example.test/f)')
  })

  it('keep included elements as they are, even navigation', () => {
    expect(read(html, { includeTags: ['nav'], onlyMainContent: true }).markdown()).toBe('n')
  })

  it('omit excluded elements, also inside included ones', () => {
    expect(read(html, { excludeTags: ['nav', '.a', 'iframe'] }).markdown()).toBe('3')
    expect(read(html, { includeTags: ['.a'], excludeTags: ['.b'] }).markdown()).toBe('1')
  })

  it('warn if nothing matches', () => {
    const content = read(html, { includeTags: ['.none'] })
    expect(content.markdown()).toBe('')
    expect(content.warnings()).toEqual(['No element of the page matches includeTags.'])
  })

  it('warn about an invalid selector and ignore it', () => {
    const content = read(html, { excludeTags: ['p[', 'nav'] })
    expect(content.markdown()).not.toContain('n\n')
    expect(content.warnings()).toEqual(['excludeTags: "p[" is not a valid CSS selector and was ignored.'])
  })
})

describe('readPage with other text', () => {
  it('returns plain text and Markdown unchanged', () => {
    const content = read('# a_b <c>\n', {}, 'text/plain')
    expect(content.markdown()).toBe('# a_b <c>\n')
    expect(content.html()).toBe('<pre># a_b &lt;c&gt;\n</pre>')
    expect([content.links(), content.images(), content.metadata()]).toEqual([[], [], {}])
  })

  it('fences source code', () => {
    expect(read('{"a": "```"}\n', {}, 'application/json').markdown()).toBe('````json\n{"a": "```"}\n````')
    expect(read('<rss/>', {}, 'application/rss+xml').markdown()).toBe('```xml\n<rss/>\n```')
  })

  it('throws for binary content', () => {
    expect(() => read('%PDF-1.7', {}, 'application/pdf')).toThrow('not text')
  })
})
