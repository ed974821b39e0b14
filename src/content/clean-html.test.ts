import { describe, expect, it } from 'vitest'
import { cleanTree, writeHtml } from './clean-html.ts'
import { parseHtml } from './dom.ts'

function clean(html: string): string {
  const { root } = parseHtml(html)
  return writeHtml(cleanTree({ kept: root.children, dropped: new Set() }, 'https://example.test/a/'))
}

describe('cleaned HTML', () => {
  it('has no code, no metadata and no comments', () => {
    const html = `<html><head><title>t</title><meta name=a></head><body><!-- c --><script>s</script><style>s</style>
      <noscript>n</noscript><template>t</template><link rel=x><p>text</p></body></html>`
    expect(clean(html).replace(/\s+/g, '')).toBe('<html><body><p>text</p></body></html>')
  })

  it('has absolute addresses', () => {
    const html = '<a href="b">x</a><iframe src="/f"></iframe><video poster="p.jpg" src="v.mp4"></video>'
    expect(clean(html)).toBe(
      '<a href="https://example.test/a/b">x</a><iframe src="https://example.test/f"></iframe>' +
        '<video poster="https://example.test/a/p.jpg" src="https://example.test/a/v.mp4"></video>',
    )
  })

  it('shows the largest candidate of an image and of a picture', () => {
    const html =
      '<picture><source srcset="a.webp 1x, b.webp 2x"><img src=s.png srcset="s.png 1x, l.png 2x" alt=x></picture>'
    expect(clean(html)).toBe(
      '<picture><source srcset="https://example.test/a/b.webp">' +
        '<img src="https://example.test/a/l.png" alt="x"></picture>',
    )
  })

  it('keeps images that carry their own bytes', () => {
    expect(clean('<img src="data:image/png;base64,AA">')).toBe('<img src="data:image/png;base64,AA">')
  })

  it('keeps addresses that cannot be resolved as they are', () => {
    expect(clean('<a href="javascript:x()">x</a>')).toBe('<a href="javascript:x()">x</a>')
  })

  it('escapes text again and leaves other letters alone', () => {
    expect(clean('<p>a &lt; b &amp; ü 日本</p>')).toBe('<p>a &lt; b &amp; ü 日本</p>')
  })

  it('reads noscript when the text of a page stands only there', () => {
    const text = 'A thread that scripts would show. '.repeat(10)
    expect(clean(`<div id=app></div><noscript><p>${text}</p></noscript>`)).toContain('A thread that scripts')
    expect(clean(`<p>${text}</p><noscript><p>Please enable JavaScript.</p></noscript>`)).not.toContain(
      'enable',
    )
  })

  it('leaves the parsed tree as it was', () => {
    const { root } = parseHtml('<a href="b">x</a><script>s</script>')
    cleanTree({ kept: root.children, dropped: new Set() }, 'https://example.test/')
    expect(writeHtml(root)).toBe('<a href="b">x</a><script>s</script>')
  })
})
