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
  // The format looks at nothing of the kit.
  const kit = { page } as unknown as Parameters<typeof attributes.render>[2]
  return attributes.render(
    pageParts(await buildParts(readPage(page, options), url, { attributes: selectors })),
    { selectors },
    kit,
  )
}

describe('the attributes format', () => {
  it('gives the values of the whole page in its order, as written', async () => {
    expect(await valuesOf([{ selector: 'a', attribute: 'href' }])).toEqual({
      attributes: [{ selector: 'a', attribute: 'href', values: ['/one', 'two'] }],
    })
  })

  it('answers each entry in the order asked, also those that match nothing', async () => {
    const asked = [
      { selector: 'img', attribute: 'alt' },
      { selector: 'video', attribute: 'src' },
      { selector: 'a', attribute: 'data-id' },
    ]
    const values = z.strictObject(attributes.output).parse(await valuesOf(asked)).attributes
    expect(values.map((entry) => entry.values)).toEqual([['Picture'], [], ['1', '2']])
  })

  it('takes the name of an attribute in any case', async () => {
    const rendered = await valuesOf([{ selector: 'img', attribute: 'Alt' }])
    expect(rendered).toMatchObject({ attributes: [{ attribute: 'Alt', values: ['Picture'] }] })
  })

  it('finds only what the page wrote, not what every object has', async () => {
    const rendered = await valuesOf(
      ['__proto__', 'constructor'].map((attribute) => ({ selector: 'a', attribute })),
    )
    expect(rendered).toMatchObject({ attributes: [{ values: [] }, { values: [] }] })
  })

  it('finds nothing on a page that is not HTML', async () => {
    const rendered = await valuesOf([{ selector: 'a', attribute: 'href' }], 'text/plain')
    expect(rendered).toMatchObject({ attributes: [{ values: [] }] })
  })
})

describe('a request for attributes', () => {
  const request = formatRequest(attributes)
  const refused = (selectors: unknown) =>
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
  ])('is refused with %s', (_, selectors) => {
    expect(refused(selectors)).toBeTruthy()
  })
})
