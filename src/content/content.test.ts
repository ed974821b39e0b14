import { describe, expect, it } from 'vitest'
import { type ContentOptions, readPage } from './content.ts'

const whole: ContentOptions = {
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
}

function read(body: string, options: Partial<ContentOptions> = {}, contentType = 'text/html; charset=utf-8') {
  const url = 'https://example.test/a/b.html'
  const headers = { 'content-type': contentType }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(body), fetchedAt: 0 }
  return readPage(page, { ...whole, ...options })
}

describe('reading an HTML page', () => {
  const html = `<html lang=en><head><title>T</title><base href="/root/"></head><body>
    <nav><a href="n">Menu</a></nav><p>Hello <a href="w">world</a> <img src="i.png" alt="I"></p></body></html>`

  it('gives every part from one parse, against the base of the page', () => {
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

  it('makes each part once', () => {
    const content = read(html)
    expect(content.links()).toBe(content.links())
    expect(content.metadata()).toBe(content.metadata())
  })

  it('leaves links and images of the whole page when only the main content is wanted', () => {
    const content = read(html, { onlyMainContent: true })
    expect(content.markdown()).not.toContain('Menu')
    expect(content.links()).toContain('https://example.test/root/n')
  })
})

describe('tags to include and exclude', () => {
  const html =
    '<nav>n</nav><div class=a><p>1</p><p class=b>2</p></div><p>3</p><iframe src="/f" title="F"></iframe>'

  it('keeps matching elements in document order, nested ones once', () => {
    expect(read(html, { includeTags: ['p', '.a'] }).html()).toBe(
      '<div class="a"><p>1</p><p class="b">2</p></div><p>3</p>',
    )
  })

  it('keeps frames', () => {
    const content = read(html, { includeTags: ['iframe'] })
    expect(content.html()).toBe('<iframe src="https://example.test/f" title="F"></iframe>')
    expect(content.markdown()).toBe('[F](https://example.test/f)')
  })

  it('takes what is included as it is, even navigation', () => {
    expect(read(html, { includeTags: ['nav'], onlyMainContent: true }).markdown()).toBe('n')
  })

  it('leaves out what is excluded, also inside what is included', () => {
    expect(read(html, { excludeTags: ['nav', '.a', 'iframe'] }).markdown()).toBe('3')
    expect(read(html, { includeTags: ['.a'], excludeTags: ['.b'] }).markdown()).toBe('1')
  })

  it('warns when nothing matches', () => {
    const content = read(html, { includeTags: ['.none'] })
    expect(content.markdown()).toBe('')
    expect(content.warnings()).toEqual(['No element of the page matches includeTags.'])
  })

  it('warns of a selector that is not one and goes on without it', () => {
    const content = read(html, { excludeTags: ['p[', 'nav'] })
    expect(content.markdown()).not.toContain('n\n')
    expect(content.warnings()).toEqual(['excludeTags: "p[" is not a valid CSS selector and was ignored.'])
  })
})

describe('reading other text', () => {
  it('gives plain text and Markdown as they are', () => {
    const content = read('# a_b <c>\n', {}, 'text/plain')
    expect(content.markdown()).toBe('# a_b <c>\n')
    expect(content.html()).toBe('<pre># a_b &lt;c&gt;\n</pre>')
    expect([content.links(), content.images(), content.metadata()]).toEqual([[], [], {}])
  })

  it('fences other languages', () => {
    expect(read('{"a": "```"}\n', {}, 'application/json').markdown()).toBe('````json\n{"a": "```"}\n````')
    expect(read('<rss/>', {}, 'application/rss+xml').markdown()).toBe('```xml\n<rss/>\n```')
  })

  it('refuses what is not text', () => {
    expect(() => read('%PDF-1.7', {}, 'application/pdf')).toThrow('not text')
  })
})
