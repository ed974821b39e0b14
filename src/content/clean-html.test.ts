import { describe, expect, it } from 'vitest'
import { writeHtml } from './clean-html.ts'
import { selectContent } from './select-content.ts'
import { parseHtml } from './tree/parse.ts'
import { none } from './tree/tree.ts'

function clean(html: string): string {
  const options = { onlyMainContent: false, includeTags: [], excludeTags: [] }
  const url = 'https://example.test/a/'
  const tree = parseHtml(html)
  const blocked = new Uint8Array(tree.count)
  return writeHtml(selectContent({ tree, url, base: url, blocked }, options, new Set()))
}

describe('writeHtml', () => {
  it('omits scripts, metadata and comments', () => {
    const html = `<html><head><title>t</title><meta name=a></head><body><!-- c --><script>s</script><style>s</style>
      <noscript>n</noscript><template>t</template><link rel=x><p>text</p></body></html>`
    expect(clean(html).replace(/\s+/g, '')).toBe('<html><body><p>text</p></body></html>')
  })

  it('makes URLs absolute', () => {
    const html = '<a href="b">x</a><iframe src="/f"></iframe><video poster="p.jpg" src="v.mp4"></video>'
    expect(clean(html)).toBe(
      '<a href="https://example.test/a/b">x</a><iframe src="https://example.test/f"></iframe>' +
        '<video poster="https://example.test/a/p.jpg" src="https://example.test/a/v.mp4"></video>',
    )
  })

  it('writes the largest candidate of an img and of a picture', () => {
    const html =
      '<picture><source srcset="a.webp 1x, b.webp 2x"><img src=s.png srcset="s.png 1x, l.png 2x" alt=x></picture>'
    expect(clean(html)).toBe(
      '<picture><source srcset="https://example.test/a/b.webp">' +
        '<img src="https://example.test/a/l.png" alt="x"></picture>',
    )
  })

  it('keeps images with data URLs', () => {
    expect(clean('<img src="data:image/png;base64,AA">')).toBe('<img src="data:image/png;base64,AA">')
  })

  it('keeps URLs that cannot be resolved as written', () => {
    expect(clean('<a href="javascript:x()">x</a>')).toBe('<a href="javascript:x()">x</a>')
  })

  it('escapes text and keeps non-ASCII letters', () => {
    expect(clean('<p>a &lt; b &amp; ü 日本</p>')).toBe('<p>a &lt; b &amp; ü 日本</p>')
  })

  it('reads noscript if the text of a page is only there', () => {
    const text = 'A thread that scripts would show. '.repeat(10)
    expect(clean(`<div id=app></div><noscript><p>${text}</p></noscript>`)).toContain('A thread that scripts')
    expect(clean(`<p>${text}</p><noscript><p>Please enable JavaScript.</p></noscript>`)).not.toContain(
      'enable',
    )
  })

  it('escapes attribute values and writes empty attributes by name only', () => {
    expect(clean('<p title="&quot;a&quot; & b" hidden>x</p>')).toBe(
      '<p title="&quot;a&quot; &amp; b" hidden>x</p>',
    )
  })

  it('writes a repeated attribute once', () => {
    expect(clean('<p id=a data-x=1 ID=b data-x=2>x</p><p id=c>y</p>')).toBe(
      '<p id="a" data-x="1">x</p><p id="c">y</p>',
    )
  })

  it('gives an img without src its lazy-loading URL, or the URL of its picture', () => {
    expect(clean('<img alt=x data-src="l.png">')).toBe(
      '<img alt="x" data-src="l.png" src="https://example.test/a/l.png">',
    )
  })

  it('writes SVG as XML, with the case of its names', () => {
    const svg =
      '<svg viewbox="0 0 1 1"><lineargradient id=g></lineargradient><use href="#g"></use><g><style>s</style></g>' +
      '<foreignobject><p hidden>é</p></foreignobject></svg>'
    expect(clean(svg)).toBe(
      '<svg viewBox="0 0 1 1"><linearGradient id="g"/><use href="#g"/><g/>' +
        '<foreignObject><p hidden>é</p></foreignObject></svg>',
    )
  })

  it('keeps text without special characters unchanged', () => {
    expect(clean('<xmp><b> & c</xmp>')).toBe('<xmp><b> & c</xmp>')
  })

  it('omits skipped nodes with their descendants', () => {
    const tree = parseHtml('<div>a<p>b<i>c</i></p>d</div>')
    const skipped = new Uint8Array(tree.count)
    skipped[3] = 1
    const excerpt = {
      tree,
      kept: [1],
      skipped,
      title: none,
      readsNoscript: false,
      base: 'https://example.test/',
    }
    expect(writeHtml(excerpt)).toBe('<div>ad</div>')
  })
})
