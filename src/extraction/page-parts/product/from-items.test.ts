import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../content/tree/parse.ts'
import { productOf } from '../product.ts'

const url = 'https://shop.example/lamps/arc?ref=mail'

function read(html: string) {
  const found = productOf(parseHtml(html), { url, base: 'https://shop.example/lamps/' })
  return found.ok ? found.product : found.reason
}

const jsonLd = (...blocks: object[]) =>
  blocks.map((block) => `<script type="application/ld+json">${JSON.stringify(block)}</script>`).join('')

const lamp = { '@context': 'https://schema.org', '@type': 'Product', name: 'Arc Lamp' }
const offer = {
  '@type': 'Offer',
  price: '129.00',
  priceCurrency: 'EUR',
  availability: 'https://schema.org/InStock',
}

describe('product in JSON-LD', () => {
  it('has its fields and one variant from its offer', () => {
    const product = {
      ...lamp,
      ...{ sku: 'L-1', brand: { '@type': 'Brand', name: 'Lumen &amp;amp; Co' }, category: 'Lighting' },
      ...{ description: '<p>Bright.</p><p>Tall &amp; slim.</p>', url: '/lamps/arc' },
      image: ['a.png', { '@type': 'ImageObject', url: '/b.png', caption: 'At night' }, 'a.png'],
      offers: offer,
    }
    expect(read(jsonLd(product))).toEqual({
      title: 'Arc Lamp',
      brand: 'Lumen & Co',
      category: 'Lighting',
      url: 'https://shop.example/lamps/arc',
      description: 'Bright. Tall & slim.',
      variants: [
        {
          sku: 'L-1',
          price: { amount: 129, currency: 'EUR' },
          availability: { inStock: true, text: 'InStock' },
          images: [
            { url: 'https://shop.example/lamps/a.png' },
            { url: 'https://shop.example/b.png', alt: 'At night' },
          ],
        },
      ],
    })
  })

  it('has no currency if the page states none', () => {
    const product = read(jsonLd({ ...lamp, offers: { '@type': 'Offer', price: 129 } }))
    expect(product).toMatchObject({ url, variants: [{ price: { amount: 129 } }] })
    expect(JSON.stringify(product)).not.toContain('currency')
  })

  it('is out of stock if its offer states it', () => {
    const sold = { ...offer, availability: 'http://schema.org/OutOfStock' }
    expect(read(jsonLd({ ...lamp, offers: [sold] }))).toMatchObject({
      variants: [{ availability: { inStock: false, text: 'OutOfStock' } }],
    })
  })

  it('has one variant that is not in stock if it has no offer', () => {
    const html = `<h1>The Arc Lamp</h1>${jsonLd(lamp)}`
    expect(read(html)).toMatchObject({ variants: [{ availability: { inStock: false } }] })
  })

  it('is undefined if it is neither offered nor the subject of the page', () => {
    expect(read(`<h1>Our services</h1>${jsonLd(lamp)}`)).toContain('states no product')
  })

  it.each([
    [
      'beside the price',
      { price: 99, priceSpecification: { priceType: 'https://schema.org/ListPrice', price: 129 } },
    ],
    [
      'among the specifications alone',
      {
        priceSpecification: [
          { priceType: 'https://schema.org/StrikethroughPrice', price: 129 },
          { price: 99 },
          { price: 9.9, referenceQuantity: { value: 100 } },
        ],
      },
    ],
    [
      'as the price of an offer with a sale price',
      { price: 129, priceSpecification: [{ priceType: 'SalePrice', price: 99 }] },
    ],
  ])('is on sale if the former price is given %s', (_, prices) => {
    const product = read(jsonLd({ ...lamp, offers: { '@type': 'Offer', priceCurrency: 'EUR', ...prices } }))
    expect(product).toMatchObject({
      variants: [
        { price: { amount: 99, currency: 'EUR' }, sale: { originalPrice: { amount: 129, currency: 'EUR' } } },
      ],
    })
  })

  it('has the lowest price of an aggregate offer', () => {
    const aggregate = { '@type': 'AggregateOffer', lowPrice: '89', highPrice: '149', priceCurrency: 'USD' }
    expect(read(jsonLd({ ...lamp, offers: aggregate }))).toMatchObject({
      variants: [{ price: { amount: 89, currency: 'USD' }, availability: { inStock: true } }],
    })
  })

  it('has one variant per offer with a different choice', () => {
    const offers = [
      { ...offer, sku: 'L-1', name: 'Brass', url: '/lamps/arc?variant=11' },
      {
        ...offer,
        sku: 'L-2',
        name: 'Black',
        price: 119,
        availability: 'SoldOut',
        url: '/lamps/arc?variant=12',
      },
    ]
    const product = read(jsonLd({ ...lamp, offers: { '@type': 'AggregateOffer', offers } }))
    expect(product).toMatchObject({
      variants: [
        { id: '11', sku: 'L-1', title: 'Brass', price: { amount: 129 }, availability: { inStock: true } },
        { id: '12', sku: 'L-2', title: 'Black', price: { amount: 119 }, availability: { inStock: false } },
      ],
    })
  })

  it('has one variant at the best price in stock if several sellers offer it', () => {
    const sellers = [
      { ...offer, price: 120, seller: { name: 'A' } },
      { ...offer, price: 90, availability: 'OutOfStock', seller: { name: 'B' } },
      { ...offer, price: 110, seller: { name: 'C' } },
    ]
    const product = read(jsonLd({ ...lamp, offers: sellers }))
    expect(product).toMatchObject({ variants: [{ price: { amount: 110 } }] })
  })

  it('has the variants of its group, with their options', () => {
    const variant = (color: string, price: number) => ({
      ...{ '@type': 'Product', name: `Arc Lamp ${color}`, sku: `L-${color}`, color, size: 'M' },
      ...{ image: `${color}.png`, offers: { ...offer, price } },
    })
    const group = {
      ...{ '@type': 'ProductGroup', name: 'Arc Lamp', productGroupID: 'arc', brand: 'Lumen' },
      ...{
        variesBy: ['https://schema.org/color'],
        hasVariant: [variant('brass', 129), variant('black', 119)],
      },
    }
    expect(read(jsonLd(group))).toEqual({
      title: 'Arc Lamp',
      brand: 'Lumen',
      url,
      variants: ['brass', 'black'].map((color, index) => ({
        sku: `L-${color}`,
        title: `Arc Lamp ${color}`,
        values: { color, size: 'M' },
        price: { amount: [129, 119][index], currency: 'EUR' },
        availability: { inStock: true, text: 'InStock' },
        images: [{ url: `https://shop.example/lamps/${color}.png` }],
      })),
    })
  })

  it('collects variants that reference their group', () => {
    const variants = ['S', 'L'].map((size) => ({
      ...{ '@type': 'Product', name: `Arc Lamp ${size}`, size, offers: offer },
      isVariantOf: { '@id': '#arc' },
    }))
    const group = { '@type': 'ProductGroup', '@id': '#arc', name: 'Arc Lamp' }
    expect(read(jsonLd({ '@graph': [group, ...variants] }))).toMatchObject({
      title: 'Arc Lamp',
      variants: [{ values: { size: 'S' } }, { values: { size: 'L' } }],
    })
  })

  it('has the category of the breadcrumb if it has none itself', () => {
    const step = (position: number, name: string) => ({ '@type': 'ListItem', position, item: { name } })
    const trail = {
      '@type': 'BreadcrumbList',
      itemListElement: [step(2, 'Lighting'), step(1, 'Home'), step(3, 'Lamps'), step(4, 'Arc Lamp')],
    }
    expect(read(jsonLd({ ...lamp, offers: offer }, trail))).toMatchObject({ category: 'Lighting > Lamps' })
  })

  it.each([
    ['its title', '<h1>Arc Lamp</h1>', {}],
    ['its address', '<h1>Welcome</h1>', { url: '/lamps/arc', offers: offer }],
  ])('is the one of several that has %s', (_, heading, own) => {
    const others = ['Desk Lamp', 'Shade'].map((name) => ({ ...lamp, name }))
    expect(read(heading + jsonLd(...others, { ...lamp, ...own }))).toMatchObject({ title: 'Arc Lamp' })
  })
})
