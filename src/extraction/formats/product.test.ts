import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readPage } from '../../content/content.ts'
import { buildParts, pageParts } from '../page-parts/parts.ts'
import { product } from './product.ts'

async function render(html: string, contentType = 'text/html') {
  const url = 'https://shop.example/lamp'
  const headers = { 'content-type': contentType }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  // The format reads only `page` from the context.
  const context = { page } as unknown as Parameters<typeof product.render>[2]
  return product.render(
    pageParts(await buildParts(readPage(page, options), url, { product: true })),
    {},
    context,
  )
}

const lamp = JSON.stringify({ '@type': 'Product', name: 'Lamp', image: 'a.png', offers: { price: 5 } })
const html = `<base href="/images/"><script type="application/ld+json">${lamp}</script>`

describe('product format', () => {
  it('returns a result that matches its output schema, with URLs resolved against the base URL', async () => {
    const rendered = await render(html)
    expect(z.strictObject(product.output).parse(rendered)).toEqual(rendered)
    expect(rendered).toEqual({
      product: {
        title: 'Lamp',
        url: 'https://shop.example/lamp',
        variants: [
          {
            price: { amount: 5 },
            availability: { inStock: true },
            images: [{ url: 'https://shop.example/images/a.png' }],
          },
        ],
      },
    })
  })

  it('is unavailable with a reason if the page has no product', async () => {
    expect(await render('<h1>News</h1>')).toEqual({
      unavailable:
        'product: the page states no product in JSON-LD, microdata, RDFa, embedded state or Open Graph.',
    })
  })

  it('is unavailable for a page that is not HTML', async () => {
    expect(await render(html, 'text/plain')).toHaveProperty('unavailable')
  })
})
