import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readPage } from '../../content/content.ts'
import { buildParts, pageParts } from '../page-parts/parts.ts'
import { attributes } from './attributes.ts'
import { formatRequest } from './format.ts'

const html = `<body><nav><a href="/one" data-id="1" class="x">One</a></nav>
  <main><a href="two" data-id="2">Two</a><a>None</a><img src="a.png" ALT="Picture"></main></body>`

async function valuesOf(selectors: { selector: string; attribute: string }[], contentType = 'text/html') {
  const url = 'https://site.example/page'
  const headers = { 'content-type': contentType }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const options = { onlyMainContent: true, includeTags: [], excludeTags: ['a'], removeBase64Images: true }
  // The format reads only `page` from the context.
  const context = { page } as unknown as Parameters<typeof attributes.render>[2]
  return attributes.render(
    pageParts(await buildParts(readPage(page, options), url, { attributes: selectors })),
    { selectors },
    context,
  )
}

describe('attributes format', () => {
  it('returns the values of the full page in document order, unchanged', async () => {
    expect(await valuesOf([{ selector: 'a', attribute: 'href' }])).toEqual({
      attributes: [{ selector: 'a', attribute: 'href', values: ['/one', 'two'] }],
    })
  })

  it('returns one entry per selector in request order, also without matches', async () => {
    const selectors = [
      { selector: 'img', attribute: 'alt' },
      { selector: 'video', attribute: 'src' },
      { selector: 'a', attribute: 'data-id' },
    ]
    const values = z.strictObject(attributes.output).parse(await valuesOf(selectors)).attributes
    expect(values.map((entry) => entry.values)).toEqual([['Picture'], [], ['1', '2']])
  })

  it('matches attribute names case-insensitively', async () => {
    const rendered = await valuesOf([{ selector: 'img', attribute: 'Alt' }])
    expect(rendered).toMatchObject({ attributes: [{ attribute: 'Alt', values: ['Picture'] }] })
  })

  it('does not return properties of Object.prototype', async () => {
    const rendered = await valuesOf(
      ['__proto__', 'constructor'].map((attribute) => ({ selector: 'a', attribute })),
    )
    expect(rendered).toMatchObject({ attributes: [{ values: [] }, { values: [] }] })
  })

  it('returns no values for a page that is not HTML', async () => {
    const rendered = await valuesOf([{ selector: 'a', attribute: 'href' }], 'text/plain')
    expect(rendered).toMatchObject({ attributes: [{ values: [] }] })
  })
})

describe('request for attributes', () => {
  const request = formatRequest(attributes)
  const isRejected = (selectors: unknown) =>
    request.safeParse({ type: 'attributes', selectors }).error?.issues[0]?.message

  it('is accepted with selectors', () => {
    const selectors = [{ selector: 'a[href^="/"]', attribute: 'href' }]
    expect(request.parse({ type: 'attributes', selectors })).toEqual({ type: 'attributes', selectors })
  })

  it.each([
    ['no selectors', undefined],
    ['an empty list', []],
    ['no attribute', [{ selector: 'a' }]],
    ['no selector', [{ attribute: 'href' }]],
    ['an unknown key', [{ selector: 'a', attribute: 'href', nonsense: 1 }]],
  ])('is rejected with %s', (_, selectors) => {
    expect(isRejected(selectors)).toBeTruthy()
  })
})
