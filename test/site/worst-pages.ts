import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'

/** A page of one kind that needs much time or memory to read. */
export interface WorstPage {
  kind: string
  contentType: string
  /** Returns a body of about this many bytes. */
  body(bytes: number): Buffer
  contentEncoding?: string
  /** Name under which the body is sent to the parse endpoint instead of being fetched. */
  fileName?: string
  /** True if the page must be rejected for its size, whatever the size is. */
  isBomb?: true
}

const html = 'text/html; charset=utf-8'

/** At least one page for each way of reading. */
export const worstPages: WorstPage[] = [
  page('text of "<"', 'text/plain', filled('<')),
  page('text of wide characters', 'text/plain; charset=utf-8', filled('漢字😀 ')),
  page('text in windows-1252', 'text/plain; charset=windows-1252', filled('\x93\x94\x80\xe9', 'latin1')),
  page('text of line breaks', 'application/json', (bytes) => Buffer.from(`${'\n'.repeat(bytes)}x`)),
  page('one line of JSON', 'application/json', (bytes) =>
    Buffer.from(`{"a":"${'\\u00e9\\"b'.repeat(bytes / 9)}"}`),
  ),
  page('Markdown', 'text/markdown', filled('# [a](b) `c` *d*\n\n')),
  page('CSV', 'text/csv', filled('name,"quoted, value",3\n')),
  page('sitemap', 'application/xml', (bytes) =>
    Buffer.from(`<urlset>${'<url><loc>https://a.example/b</loc></url>'.repeat(bytes / 41)}</urlset>`),
  ),
  page('feed', 'application/rss+xml', (bytes) =>
    Buffer.from(`<rss><channel>${'<item><title>&amp;a</title></item>'.repeat(bytes / 34)}</channel></rss>`),
  ),
  page('links', html, (bytes) =>
    Buffer.from(
      Array.from({ length: bytes / 33 }, (_, index) => `<a href="/p${index}">${index}</a>`).join('\n'),
    ),
  ),
  page('deep nesting', html, filled('<div>')),
  page('open tags of many kinds', html, filled('<table><b><p><i><svg><li>')),
  page('attributes', html, (bytes) =>
    Buffer.from(
      `<p ${Array.from({ length: bytes / 21 }, (_, index) => `a${index}="v${index}"`).join(' ')}>text</p>`,
    ),
  ),
  page('inline script', html, (bytes) =>
    Buffer.from(`<script>${'var a="<b>";\n'.repeat(bytes / 13)}</script><p>text</p>`),
  ),
  page('inline style', html, (bytes) =>
    Buffer.from(`<style>${'.a>b{color:red}\n'.repeat(bytes / 16)}</style><p>text</p>`),
  ),
  page('table', html, (bytes) => Buffer.from(`<table>${'<tr><td>a<td>b'.repeat(bytes / 14)}</table>`)),
  page('entities', html, (bytes) => Buffer.from(`<p>${'&amp;&lt;&#x41;'.repeat(bytes / 15)}</p>`)),
  page('pictures in base64', html, (bytes) =>
    Buffer.from(
      `<p>text</p>${`<img src="data:image/png;base64,${'QUJD'.repeat(5000)}">`.repeat(bytes / 20_036)}`,
    ),
  ),
  page('comments that never end', html, filled('<!-- a -- <b ')),
  bomb('gzip', (bytes) => gzipSync(Buffer.alloc(bytes, 'a'), { level: 9 })),
  bomb('br', (bytes) =>
    brotliCompressSync(Buffer.alloc(bytes, 'a'), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ),
  bomb('zstd', (bytes) => zstdCompressSync(Buffer.alloc(bytes, 'a'))),
  bomb('gzip, gzip', (bytes) => gzipSync(gzipSync(Buffer.alloc(bytes, 'a'), { level: 9 }), { level: 9 })),
  file('links.html', (bytes) =>
    Buffer.from(
      Array.from({ length: bytes / 33 }, (_, index) => `<a href="/p${index}">${index}</a>`).join('\n'),
    ),
  ),
  file('text.txt', filled('<')),
  file('data.json', filled('{"a":[1,2,3]}')),
  file('table.csv', filled('name,"quoted, value",3\n')),
  file('broken.pdf', (bytes) =>
    Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes, '1 0 obj<<>>\n')]),
  ),
]

function page(kind: string, contentType: string, body: WorstPage['body']): WorstPage {
  return { kind, contentType, body }
}

function bomb(contentEncoding: string, body: WorstPage['body']): WorstPage {
  return { kind: `bomb in ${contentEncoding}`, contentType: html, contentEncoding, body, isBomb: true }
}

function file(fileName: string, body: WorstPage['body']): WorstPage {
  return { kind: `${fileName} sent to parse`, contentType: '', fileName, body }
}

function filled(unit: string, encoding: BufferEncoding = 'utf8') {
  return (bytes: number) => Buffer.alloc(bytes, unit, encoding)
}
