import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../content/tree/parse.ts'
import { productOf } from './product.ts'

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

describe('product in other markup', () => {
  it('is read from microdata', () => {
    const product =
      read(`<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Arc Lamp</h1>
      <img itemprop="image" src="/a.png"><span itemprop="brand" itemscope><b itemprop="name">Lumen</b></span>
      <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price">€ 1.129,50</span>
      <link itemprop="availability" href="http://schema.org/PreOrder"></div></div>`)
    expect(product).toEqual({
      title: 'Arc Lamp',
      brand: 'Lumen',
      url,
      variants: [
        {
          price: { amount: 1129.5, currency: 'EUR', formatted: '€ 1.129,50' },
          availability: { inStock: false, text: 'PreOrder' },
          images: [{ url: 'https://shop.example/a.png' }],
        },
      ],
    })
  })

  it('is read from RDFa', () => {
    const product = read(`<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Arc Lamp</h1>
      <div property="offers" typeof="Offer"><meta property="priceCurrency" content="GBP">
      <span property="price">129.00</span></div></div>`)
    expect(product).toMatchObject({ variants: [{ price: { amount: 129, currency: 'GBP' } }] })
  })

  it('is read from Open Graph, with the price before the sale', () => {
    const tags = {
      ...{ 'og:type': 'product', 'og:title': 'Arc Lamp', 'og:image': '/a.png', 'product:brand': 'Lumen' },
      ...{
        'product:price:amount': '129',
        'product:price:currency': 'USD',
        'product:sale_price:amount': '99',
      },
      ...{ 'product:availability': 'in stock', 'og:url': 'https://shop.example/arc' },
    }
    const metas = Object.entries(tags).map(([name, value]) => `<meta property="${name}" content="${value}">`)
    expect(read(metas.join(''))).toEqual({
      title: 'Arc Lamp',
      brand: 'Lumen',
      url: 'https://shop.example/arc',
      variants: [
        {
          price: { amount: 99, currency: 'USD' },
          sale: { originalPrice: { amount: 129, currency: 'USD' } },
          availability: { inStock: true, text: 'in stock' },
          images: [{ url: 'https://shop.example/a.png' }],
        },
      ],
    })
  })

  it('is read from a framework state if its title matches the page', () => {
    const product = {
      ...{
        name: 'Arc Lamp',
        brand: { name: 'Lumen' },
        slug: 'arc',
        images: [{ url: '/a.png', altText: 'Lamp' }],
      },
      variants: [
        {
          ...{ sku: 'L-1', title: 'Brass', availableForSale: false },
          price: { amount: '99.0', currencyCode: 'EUR' },
          compareAtPrice: { amount: '129.0', currencyCode: 'EUR' },
          selectedOptions: [{ name: 'Finish', value: 'Brass' }],
        },
      ],
    }
    const state = { props: { pageProps: { related: [{ name: 'Shade', price: 5, sku: 'x' }], product } } }
    expect(
      read(`<title>Arc Lamp | Lumen</title>
      <script id="__NEXT_DATA__" type="application/json">${JSON.stringify(state)}</script>`),
    ).toEqual({
      title: 'Arc Lamp',
      brand: 'Lumen',
      url,
      variants: [
        {
          sku: 'L-1',
          title: 'Brass',
          values: { Finish: 'Brass' },
          price: { amount: 99, currency: 'EUR' },
          sale: { originalPrice: { amount: 129, currency: 'EUR' } },
          availability: { inStock: false },
          images: [{ url: 'https://shop.example/a.png', alt: 'Lamp' }],
        },
      ],
    })
  })

  it('is read from a state with prices in cents and numbered options', () => {
    const product = {
      ...{ id: 7, title: 'Arc Lamp', vendor: 'Lumen', type: 'Lamps', price: 9900, price_min: 9900 },
      ...{ options: ['Finish'], images: ['//cdn.example/a.png'] },
      variants: [{ id: 71, option1: 'Brass', price: 9900, compare_at_price: 12900, available: true }],
    }
    expect(
      read(`<h1>Arc Lamp</h1><script type="application/json">${JSON.stringify(product)}</script>`),
    ).toMatchObject({
      brand: 'Lumen',
      variants: [
        {
          id: '71',
          values: { Finish: 'Brass' },
          price: { amount: 99 },
          sale: { originalPrice: { amount: 129 } },
          images: [{ url: 'https://cdn.example/a.png' }],
        },
      ],
    })
  })

  const plain = { name: 'Arc Lamp', sku: 'L-1', price: 129, currency: 'EUR', images: ['/a.png', '/b.png'] }
  const flat = [['ShallowReactive', 1], { data: 2 }, { product: 3 }, { name: 4, sku: 5, price: 6 }]
  const slugged = { slug: 'arc', name: 'The Arc', sku: 'L-1', price: 129, images: ['/a.png', '/b.png'] }
  const ranged = {
    ...{ title: 'Arc Lamp', vendor: 'Lumen', variants: { edges: [] } },
    priceRange: { minVariantPrice: { amount: '129.0', currencyCode: 'EUR' } },
  }
  const master = {
    ...{ name: 'Arc Lamp', variants: [] },
    masterVariant: { sku: 'L-1', prices: [{ value: { centAmount: 12_900, currencyCode: 'EUR' } }] },
  }
  const json = (value: unknown) => JSON.stringify(value)
  const titled = '<title>Arc Lamp</title>'
  it.each([
    ['a name of the window', `${titled}<script>window.STATE = ${json({ item: plain })};</script>`],
    [
      'a variable',
      `${titled}<script>(function () {\n var product = ${json(plain)}; run(product) })()</script>`,
    ],
    ['a name in brackets', `${titled}<script>window['shop'].state = ${json({ item: plain })}</script>`],
    ['a text that is parsed', `${titled}<script>var s = JSON.parse(${json(json(plain))})</script>`],
    [
      'a script after many objects of its own',
      `${titled}<script>${'a={"b":f()};'.repeat(400)}
      theme.item = ${json(plain)}</script>`,
    ],
    ['a script without a type', `${titled}<script id="state">${json({ item: plain })}</script>`],
    ['another type of JSON', `${titled}<script type="text/json">${json({ item: plain })}</script>`],
    [
      'a state written as a flat list',
      `<script type="application/json" id="__NUXT_DATA__">${json([
        ...flat,
        ...['Arc Lamp', 'L-1', 129],
      ])}</script>`,
    ],
    [
      'what the state calls the product',
      `<title>Shop</title><script>__S__=${json({ product: plain })}</script>`,
    ],
    ['what has the address of the page', `<title>Shop</title><script>__S__=${json([slugged])}</script>`],
    ['a price with a range', `${titled}<script>__S__=${json([ranged])}</script>`],
    ['a master variant', `${titled}<script>__S__=${json([master])}</script>`],
  ])('is read from %s', (_, html) => {
    expect(read(html)).toMatchObject({ variants: [{ price: { amount: 129 } }] })
  })

  it('is undefined if a state contains several products', () => {
    const state = { first: { product: plain }, second: { product: { ...plain, name: 'Shade' } } }
    expect(read(`<title>Shop</title><script>__S__=${json(state)}</script>`)).toContain('states no product')
  })

  it.each([
    [
      'the older form',
      "{ecommerce: {currencyCode: 'EUR', detail: {products: [{name: 'Arc Lamp', price: '129'}]}}}",
    ],
    [
      'the newer form',
      "{event: 'view_item', ecommerce: {currency: 'EUR', items: [{item_name: 'Arc Lamp', price: 129}]}}",
    ],
  ])('is read from tag manager data in %s', (_, push) => {
    expect(read(`<script>dataLayer.push(${push});</script>`)).toMatchObject({
      title: 'Arc Lamp',
      variants: [{ price: { amount: 129, currency: 'EUR' } }],
    })
  })

  it('takes missing values from the next sources', () => {
    const html = `${jsonLd({ ...lamp, offers: { '@type': 'Offer', price: 129 } })}
      <meta property="og:title" content="Arc Lamp"><meta property="product:price:amount" content="129.00">
      <meta property="product:price:currency" content="EUR"><meta property="product:brand" content="Lumen">`
    expect(read(html)).toMatchObject({
      brand: 'Lumen',
      variants: [{ price: { amount: 129, currency: 'EUR' } }],
    })
  })

  it('takes no values from a source about another product', () => {
    const html = `${jsonLd({ ...lamp, offers: { '@type': 'Offer', price: 129 } })}
      <meta property="og:title" content="Desk Chair"><meta property="product:price:amount" content="129">
      <meta property="product:price:currency" content="EUR"><meta property="product:brand" content="Other">`
    expect(JSON.stringify(read(html))).not.toMatch(/Other|EUR/)
  })
})

describe('page without a product', () => {
  it.each([
    ['an article', '<h1>News</h1><p>Text</p>'],
    ['an article in JSON-LD', jsonLd({ '@type': 'Article', headline: 'News', about: lamp })],
    ['a list of products', jsonLd({ '@type': 'ItemList', itemListElement: [{ item: lamp }] })],
    [
      'a state with a price that is not of the page',
      '<h1>News</h1><script>__S__={"name":"Lamp","price":1,"sku":"x"}</script>',
    ],
    ['a product without a name', jsonLd({ '@type': 'Product', offers: offer })],
    ['a category', '<meta property="og:type" content="product"><meta property="og:title" content="Lamps">'],
    [
      'a listing for the tag manager',
      "<script>dataLayer.push({event:'view_item_list',ecommerce:{items:[{item_name:'A'}]}})</script>",
    ],
  ])('has no product: %s', (_, html) => {
    expect(read(html)).toContain('states no product')
  })

  it('has no product if it describes several and none is the subject', () => {
    const products = ['Desk Lamp', 'Shade'].map((name) => ({ ...lamp, name }))
    expect(read(`<h1>All our light</h1>${jsonLd(...products)}`)).toContain('several products')
  })
})

describe('hostile product data', () => {
  it('is limited to a number of variants and images', () => {
    const variants = Array.from({ length: 2000 }, (_, index) => ({
      ...{ '@type': 'Product', sku: String(index), offers: offer },
      image: Array.from({ length: 50 }, (_, image) => `${image}.png`),
    }))
    const product = read(jsonLd({ '@type': 'ProductGroup', name: 'Arc Lamp', hasVariant: variants }))
    expect(product).toMatchObject({ variants: { length: 250 } })
    expect(product).toMatchObject({ variants: Array(250).fill({ images: { length: 20 } }) })
  })

  it('accepts items that contain themselves', () => {
    const product = {
      ...lamp,
      '@id': '#a',
      offers: { '@id': '#a' },
      brand: { '@id': '#a' },
      hasVariant: { '@id': '#a' },
    }
    expect(read(jsonLd(product))).toMatchObject({ title: 'Arc Lamp' })
  })

  it('does not accept an option named after a property of Object.prototype', () => {
    const variant = {
      ...{ '@type': 'Product', inProductGroupWithID: 'x', name: 'Arc Lamp', offers: offer },
      additionalProperty: { name: '__proto__', value: 'polluted' },
    }
    expect(JSON.stringify(read(jsonLd(variant)))).not.toContain('polluted')
  })
})
