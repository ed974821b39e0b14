import { describe, expect, it } from 'vitest'
import { type Content, readPage } from './content.ts'

const megabyte = 1024 * 1024
const sentence = 'The tide turns at noon and the harbour empties slowly.'
const paragraph = `<p>${sentence}</p>`

/**
 * Generated hostile pages. `page` takes the number of repeated parts. The attack tests send the largest pages that a
 * service accepts; these are large enough that superlinear work does not end.
 */
const hostilePages: Record<string, { full: number; page: (count: number) => string }> = {
  'divs that are never closed': {
    full: (4 * megabyte) / 5,
    page: (count) => paragraph + '<div>'.repeat(count),
  },
  'divs closed that were never opened': {
    full: (4 * megabyte) / 6,
    page: (count) => paragraph + '</div>'.repeat(count),
  },
  'attributes on one element': {
    full: 40_000,
    page: (count) => `<div ${numbered(count, (index) => `a${index}="${index}"`, ' ')}>${paragraph}</div>`,
  },
  'one attribute, repeated': {
    full: 40_000,
    page: (count) => `<div ${'class="a" '.repeat(count)}>${paragraph}</div>`,
  },
  'a long attribute': {
    full: 2 * megabyte,
    page: (count) => `<div class="${'a '.repeat(count / 2)}">${paragraph}</div>`,
  },
  'comments that are never closed': {
    full: megabyte / 2,
    page: (count) => paragraph + '<!-- a '.repeat(count),
  },
  'declarations that are never closed': {
    full: megabyte / 2,
    page: (count) => paragraph + '<!a <?b '.repeat(count),
  },
  'nested tables': {
    full: 1000,
    page: (count) =>
      `${paragraph}${'<table><tr><td>a'.repeat(count)}${paragraph}${'</td></tr></table>'.repeat(count)}`,
  },
  'nested tables with spans': {
    full: 1000,
    page: (count) => paragraph + '<table><tr><td colspan=1000 rowspan=65534>a'.repeat(count),
  },
  'cells with spans': {
    full: 20_000,
    page: (count) => `${paragraph}<table>${'<tr><td colspan=1000 rowspan=65534>a'.repeat(count)}</table>`,
  },
  'NUL bytes': { full: megabyte / 2, page: (count) => paragraph + '\0'.repeat(count) + paragraph },
  'NUL bytes in tags': {
    full: 20_000,
    page: (count) => paragraph + '<d\0iv a\0=\0>b\0</d\0iv>'.repeat(count),
  },
  'less-than signs': { full: 4 * megabyte, page: (count) => paragraph + '<'.repeat(count) },
  'a single text': { full: 2 * megabyte, page: (count) => `<p>${sentence} ${'word '.repeat(count / 5)}</p>` },
  'a single word': { full: 2 * megabyte, page: (count) => `<p>${sentence} ${'a'.repeat(count)}</p>` },
  'white space': { full: 2 * megabyte, page: (count) => `<p>${sentence}${' \n'.repeat(count / 2)}</p>` },
  'characters to escape': {
    full: megabyte / 2,
    page: (count) => `<p>${sentence} ${'*_`[]~|\\'.repeat(count / 8)}</p>`,
  },
  'backticks in code': {
    full: megabyte / 2,
    page: (count) => `${paragraph}<pre>${'`'.repeat(count)}</pre><code>${'`'.repeat(count)}</code>`,
  },
  'table rows': {
    full: 40_000,
    page: (count) => `${paragraph}<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(count)}</table>`,
  },
  'table columns': {
    full: 20_000,
    page: (count) => `${paragraph}<table><tr>${'<td>a</td>'.repeat(count)}</tr><tr><td>b</td></tr></table>`,
  },
  entities: { full: 400_000, page: (count) => `<p>${sentence} ${'&amp;'.repeat(count)}</p>` },
  'entities without an end': {
    full: 400_000,
    page: (count) => `<p>${sentence} ${'&am&#x'.repeat(count)}</p>`,
  },
  'nested lists': {
    full: 20_000,
    page: (count) => paragraph + '<ul><li>a'.repeat(count) + '</li></ul>'.repeat(count),
  },
  'nested quotes': { full: 20_000, page: (count) => paragraph + '<blockquote>a'.repeat(count) },
  'nested marks': { full: 20_000, page: (count) => `<p>${sentence}${'<b><i>a'.repeat(count)}</p>` },
  'marks closed in the wrong order': {
    full: 20_000,
    page: (count) => paragraph + '<p><b><i><a href=/x>a</p></b>'.repeat(count),
  },
  'nested links': { full: 20_000, page: (count) => paragraph + '<a href="/a">a'.repeat(count) },
  'nested headings': { full: 20_000, page: (count) => paragraph + '<h1>a'.repeat(count) },
  'nested forms and buttons': { full: 20_000, page: (count) => paragraph + '<form><button>a'.repeat(count) },
  'nested definition lists': { full: 20_000, page: (count) => paragraph + '<dl><dt>a<dd>b'.repeat(count) },
  'sibling links': {
    full: 40_000,
    page: (count) =>
      paragraph + numbered(count, (index) => `<a href="/page/${index}">link ${index}</a> `, ''),
  },
  'sibling images': {
    full: 40_000,
    page: (count) =>
      paragraph + numbered(count, (index) => `<img src="/${index}.png" srcset="/a 1x, /b 2x">`, ''),
  },
  'metadata elements': {
    full: 40_000,
    page: (count) =>
      numbered(
        count,
        (index) => `<meta name="m${index}" content="${index}"><link rel=icon href=/${index}>`,
        '',
      ) + paragraph,
  },
  'truncated tags': { full: 40_000, page: (count) => paragraph + '<a href="/x" <b <i class='.repeat(count) },
  'truncated quotes': {
    full: 40_000,
    page: (count) => paragraph + `<a href="x' <p title='y" `.repeat(count),
  },
  'scripts that are never closed': {
    full: 40_000,
    page: (count) => paragraph + '<script><!--'.repeat(count),
  },
  'scripts in comments in scripts': {
    full: 20_000,
    page: (count) => paragraph + '<script><!--<script></script>'.repeat(count),
  },
  'comments in scripts': {
    full: 20_000,
    page: (count) => `${paragraph}<script>${'<!-- -->'.repeat(count)}</script>${paragraph}`,
  },
  'fields that only seem closed': {
    full: 20_000,
    page: (count) => paragraph + '<textarea/><iframe/>'.repeat(count),
  },
  'frames and open comments in noscript': {
    full: 20_000,
    page: (count) => paragraph + '<noscript><iframe/></div><!--</noscript>'.repeat(count),
  },
  'ends of paragraphs': { full: megabyte / 2, page: (count) => paragraph + '</p>'.repeat(count) },
  'hidden elements': {
    full: 20_000,
    page: (count) =>
      paragraph +
      numbered(count, (index) => `<div hidden id=h${index} class="a b">a</div><b data-x=h>b</b>`, ''),
  },
  'nested hidden elements': {
    full: 20_000,
    page: (count) =>
      paragraph + '<div aria-hidden=true class=icon style="display:block"><b hidden>a</b>'.repeat(count),
  },
  'headings with the title': {
    full: 20_000,
    page: (count) =>
      `<title>${sentence}</title>${paragraph}${`<h1><a href="/">${sentence}</a></h1>`.repeat(count)}`,
  },
  'linked data without an end': {
    full: 40_000,
    page: (count) => `<script type="application/ld+json">${'{"a":['.repeat(count)}</script>${paragraph}`,
  },
  'drawings in drawings': {
    full: 20_000,
    page: (count) => paragraph + '<svg><g><svg><title/>'.repeat(count),
  },
  'drawings left again': {
    full: 20_000,
    page: (count) => paragraph + '<svg><g><svg><font color=red>a'.repeat(count),
  },
  'SVG and MathML, mixed and open': {
    full: 20_000,
    page: (count) => paragraph + '<svg><math><mtext><p>a'.repeat(count),
  },
  'nested templates and noscripts': {
    full: 20_000,
    page: (count) => paragraph + '<template><noscript>a'.repeat(count),
  },
  'open options': { full: 20_000, page: (count) => `${paragraph}<select>${'<option>a'.repeat(count)}` },
}

// Linear work takes seconds on a busy machine, superlinear work takes hours: the limit only distinguishes the two.
describe('a hostile page', { timeout: 120_000 }, () => {
  for (const [name, { full, page }] of Object.entries(hostilePages)) {
    it(`of ${name} is read`, () => {
      const content = read(page(full))
      expect(containsSentence(content.markdown())).toBe(true)
      expect(containsSentence(content.html())).toBe(true)
      expect(content.links()).toBeInstanceOf(Array)
      expect(content.metadata()).toBeInstanceOf(Object)
    })

    it(`of ${name} grows no faster than its source`, () => {
      const once = size(read(page(full / 32)))
      const twice = size(read(page(full / 16)))
      expect(twice).toBeLessThanOrEqual(once * 2.2 + 1000)
    })
  }

  it('returns the complete text, or warns that a part was omitted', () => {
    const content = read('<div>'.repeat((10 * megabyte) / 5) + paragraph)
    const isComplete = containsSentence(content.markdown())
    expect(isComplete || content.warnings().length > 0).toBe(true)
  })

  it('keeps the text of a page that nests too deeply, and warns', () => {
    const content = read(`${'<table><tr><td>'.repeat(1000)}${paragraph}`)
    expect(containsSentence(content.markdown())).toBe(true)
    expect(content.warnings()).toHaveLength(1)
  })
})

/** Avoids `toContain`, which would print megabytes on failure. */
function containsSentence(output: string): boolean {
  return output.includes(sentence)
}

function read(html: string): Content {
  const url = 'https://example.test/a/b.html'
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return readPage(page, options)
}

function size(content: Content): number {
  return content.markdown().length + content.html().length + JSON.stringify(content.metadata()).length
}

function numbered(count: number, part: (index: number) => string, separator: string): string {
  return Array.from({ length: count }, (_, index) => part(index)).join(separator)
}
