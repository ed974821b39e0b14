import { describe, expect, it } from 'vitest'
import { parseHtml } from '../content/tree/parse.ts'
import { readJson } from './read-json.ts'

const url = 'https://shop.example/lamp'
const text = { type: 'string' }
const number = { type: 'number' }

function readPage(html: string, properties: object, schemaOptions: object = {}) {
  const title = /<title>([^<]*)/.exec(html)?.[1] ?? ''
  const context = { url, base: url, language: /lang="([^"]*)"/.exec(html)?.[1] ?? 'en', title }
  return readJson(parseHtml(html), { type: 'object', properties, ...schemaOptions }, context)
}

const jsonLd = (item: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...item })}</script>`

describe('structured data', () => {
  const lamp = jsonLd({
    '@graph': [
      { '@type': 'WebSite', '@id': '#site', name: 'Lamps' },
      { '@type': 'Person', '@id': '#ann', name: 'Ann' },
      {
        '@type': 'Product',
        name: 'Desk lamp',
        author: { '@id': '#ann' },
        brand: { '@type': 'Brand', name: 'Lumo' },
        offers: {
          '@type': 'Offer',
          price: '49.90',
          priceCurrency: 'EUR',
          availability: 'https://schema.org/InStock',
        },
        aggregateRating: { '@type': 'AggregateRating', ratingValue: 4.5, reviewCount: '12' },
      },
    ],
  })

  it('matches fields to properties by meaning, not by exact name, and follows references', () => {
    const { value, missing } = readPage(lamp, {
      ...{ productName: text, brand_name: text, currentPrice: number, currency: text, writer: text },
      ...{ rating: number, reviewCount: { type: 'integer' }, inStock: { type: 'boolean' }, siteName: text },
      weightKg: number,
    })
    expect(value).toEqual({
      ...{ productName: 'Desk lamp', brand_name: 'Lumo', currentPrice: 49.9, currency: 'EUR', writer: 'Ann' },
      ...{ rating: 4.5, reviewCount: 12, inStock: true, siteName: 'Lamps' },
    })
    expect(missing).toEqual(['weightKg'])
  })

  it('fills nested objects, enums and $ref definitions', () => {
    const schema = {
      $defs: {
        Money: {
          type: 'object',
          properties: { amount: number, currency: { anyOf: [text, { type: 'null' }] } },
        },
      },
    }
    const { value, evidence } = readPage(
      lamp,
      { price: { $ref: '#/$defs/Money' }, availability: { enum: ['in_stock', 'out_of_stock'] } },
      schema,
    )
    expect(value).toEqual({ price: { amount: 49.9, currency: 'EUR' }, availability: 'in_stock' })
    expect(evidence['price.amount']).toMatchObject({ reader: 'json-ld', text: '49.90' })
  })

  it('reads microdata properties', () => {
    const html =
      '<div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">Soup</h1><time itemprop="cookTime" datetime="PT1H30M">90</time></div>'
    const { value } = readPage(html, { title: text, cookTimeMinutes: { type: 'integer' } })
    expect(value).toEqual({ title: 'Soup', cookTimeMinutes: 90 })
  })
})

describe('table cells', () => {
  const row = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  const table = (headerTag: string, [head = [], ...rows]: readonly (readonly string[])[]) =>
    `<table>${row(headerTag, head)}${rows.map((cells) => row('td', cells)).join('')}</table>`
  const mugs = [
    ['Name', 'Price', 'Colour'],
    ['Mug', '12.50', 'red'],
  ]

  it.each(['th', 'td'])('reads the cell below a header cell of %s, not the next cell of the page', (tag) => {
    expect(readPage(table(tag, mugs), { colour: text }).value).toEqual({ colour: 'red' })
    const visits = [
      ['Date', 'Visitors'],
      ['2024', '57'],
    ]
    expect(readPage(table(tag, visits), { visitors: { type: 'integer' } }).value).toEqual({ visitors: 57 })
  })

  it.each(['th', 'td'])(
    'returns no single value for a column under %s with several values, but all of them as a list',
    (tag) => {
      const rows = [...mugs, ['Cup', '8.00', 'blue']]
      const list = { type: 'array', items: text }
      expect(readPage(table(tag, rows), { colour: text })).toMatchObject({
        value: undefined,
        missing: ['colour'],
      })
      expect(readPage(table(tag, rows), { colour: list }).value).toEqual({ colour: ['red', 'blue'] })
    },
  )

  it('reads rows of labels and values, also two pairs in one row', () => {
    const rows = [
      ['Brand', 'Acme', 'Model', 'Lumo'],
      ['Weight', '12 kg', 'Colour', 'red'],
    ]
    expect(readPage(table('td', rows), { brand: text, colour: text }).value).toEqual({
      brand: 'Acme',
      colour: 'red',
    })
    const pairs = [
      ['Name', 'Ann'],
      ['Age', '57'],
      ['City', 'Rome'],
    ]
    expect(readPage(table('td', pairs), { age: number, city: text }).value).toEqual({ age: 57, city: 'Rome' })
  })
})

describe('visible page', () => {
  it.each([
    ['a definition list', '<dl><dt>Price</dt><dd>$1,299.00</dd><dt>Weight</dt><dd>2.5 kg</dd></dl>'],
    [
      'a table of two columns',
      '<table><tr><th>Price</th><td>$1,299.00</td></tr><tr><th>Weight</th><td>2.5 kg</td></tr></table>',
    ],
    ['lines with colons', '<p>Price: $1,299.00</p><p>Weight: 2.5 kg</p>'],
    [
      'labels in elements of their own',
      '<div><span>Price</span><span>$1,299.00</span></div><div><b>Weight</b> <i>2.5 kg</i></div>',
    ],
    [
      'labels above their values',
      '<div><div>Price</div><div>$1,299.00</div></div><div><div>Weight</div><div>2.5 kg</div></div>',
    ],
    ['class names', '<div class="product-price">$1,299.00</div><div class="product_weight">2.5 kg</div>'],
  ])('reads values from %s', (_, html) => {
    const { value, evidence } = readPage(`<main><h1>Lamp</h1>${html}</main>`, {
      price: number,
      weight: number,
    })
    expect(value).toEqual({ price: 1299, weight: 2.5 })
    expect(evidence.price).toMatchObject({
      text: expect.stringContaining('1,299'),
      selector: expect.any(String),
    })
  })

  it('parses labels, numbers and dates of a German page', () => {
    const html =
      '<html lang="de"><title>Konzert</title><main><h1>Konzert</h1><p>Beginn: 3. März 2027, 19:30 Uhr</p><p>Preis: 1.234,50 €</p><p>Veranstalter: Verein e.V.</p></main></html>'
    expect(
      readPage(html, {
        ...{ startDate: { type: 'string', format: 'date' }, price: number, currency: text },
        organizer: text,
      }).value,
    ).toEqual({ startDate: '2027-03-03', price: 1234.5, currency: 'EUR', organizer: 'Verein e.V.' })
  })

  it('returns the list below a heading', () => {
    const html = `<main><h1>Soup</h1><h2>Ingredients</h2><ul><li>2 carrots</li><li>1 onion</li></ul><h2>Method</h2><ol><li>Cut the carrots and the onion.</li><li>Cook them for an hour.</li></ol></main>`
    const list = { type: 'array', items: text }
    expect(readPage(html, { ingredients: list, instructions: list }).value).toEqual({
      ingredients: ['2 carrots', '1 onion'],
      instructions: ['Cut the carrots and the onion.', 'Cook them for an hour.'],
    })
  })

  it('assigns the page title to the main object, not to its nested objects', () => {
    const maker = { type: 'object', properties: { name: text } }
    const html = '<title>Desk lamp</title><main><h1>Desk lamp</h1><p>Made by hand.</p></main>'
    expect(readPage(html, { title: text, maker }).value).toEqual({ title: 'Desk lamp' })
    expect(readPage(html, { product: maker }).value).toEqual({ product: { name: 'Desk lamp' } })
  })

  it('reports missing fields, and which of them are required', () => {
    const { value, missing, missingRequired } = readPage(
      '<h1>Lamp</h1>',
      { title: text, price: number },
      { required: ['price'] },
    )
    expect({ value, missing, missingRequired }).toEqual({
      ...{ value: { title: 'Lamp' }, missing: ['price'], missingRequired: ['price'] },
    })
  })

  it('ignores hidden elements', () => {
    const html =
      '<main><h1>Lamp</h1><p>Good light for long evenings at your desk.</p><div style="display:none"><p>Price: $1</p></div></main>'
    expect(readPage(html, { price: number }).value).toBeUndefined()
  })
})

describe('records', () => {
  const item = {
    type: 'object',
    properties: { name: text, price: number, url: { type: 'string', format: 'uri' } },
  }
  const properties = { products: { type: 'array', items: item } }
  const expected = [1, 2, 3].map((index) => ({
    name: `Lamp ${index}`,
    price: index * 10,
    url: `https://shop.example/l/${index}`,
  }))

  it('reads records from cards', () => {
    const card = (index: number) =>
      `<div class="card"><a href="/l/${index}"><img src="/${index}.jpg"></a><h3><a href="/l/${index}">Lamp ${index}</a></h3><span class="price">$${index}0.00</span><button>Add to cart</button></div>`
    const html = `<nav><a href="/a">A</a><a href="/b">B</a></nav><main><h1>Lamps</h1><div class="row">${card(1)}${card(2)}</div><div class="row">${card(3)}</div></main>`
    const { value, evidence } = readPage(html, properties)
    expect(value).toEqual({ products: expected })
    expect(evidence['products[2].price']).toMatchObject({ text: '$30.00', reader: 'records' })
  })

  it('reads records from tables by column name', () => {
    const row = (index: number) =>
      `<tr><td><a href="/l/${index}">Lamp ${index}</a></td><td>black</td><td>${index}0.00 €</td></tr>`
    const html = `<table><thead><tr><th>Product name</th><th>Colour</th><th>Price</th></tr></thead><tbody>${row(1)}${row(2)}${row(3)}</tbody></table>`
    expect(readPage(html, properties).value).toEqual({ products: expected })
  })

  it('reads records from an ItemList', () => {
    const html = jsonLd({
      '@type': 'ItemList',
      itemListElement: expected.map(({ name, price, url: itemUrl }, position) => ({
        '@type': 'ListItem',
        position,
        item: { '@type': 'Product', name, url: itemUrl, offers: { '@type': 'Offer', price } },
      })),
    })
    expect(readPage(html, properties).value).toEqual({ products: expected })
  })

  it('reads records if the schema itself is an array', () => {
    const html = `<ul>${expected.map(({ name, price, url: itemUrl }) => `<li><a href="${itemUrl}">${name}</a> <b class="price">${price} $</b></li>`).join('')}</ul>`
    const context = { url, base: url, language: 'en', title: '' }
    expect(readJson(parseHtml(html), { type: 'array', items: item }, context).value).toEqual(expected)
  })
})

describe('values without labels', () => {
  const page = `<html lang="en"><title>Lowlight chair – Pine</title><main><h1>Lowlight chair</h1><p>by <a href="/brands/holm">Holm Studio</a></p><p>Seaward Inspections GmbH · Oslo, Norway</p><p><span>€549</span> <span class="line-through">€699</span> <span>€61/m²</span></p><p><span>4.7</span> <a href="#r">(86 reviews)</a></p><p>A low chair with a bent frame and a woven seat, made to last.</p><p>Ref. CM-2207</p><h2>More</h2></main>`

  it('recognizes values by their format, link target and position', () => {
    expect(
      readPage(page, {
        ...{ name: text, brand: text, company: text, location: text, price: number, originalPrice: number },
        ...{ pricePerSqm: number, rating: number, description: text, reference: text },
      }).value,
    ).toEqual({
      ...{ name: 'Lowlight chair', brand: 'Holm Studio', company: 'Seaward Inspections GmbH' },
      ...{ location: 'Oslo, Norway', price: 549, originalPrice: 699, pricePerSqm: 61, rating: 4.7 },
      description: 'A low chair with a bent frame and a woven seat, made to last.',
      reference: 'CM-2207',
    })
  })

  it('assigns a value to one field only', () => {
    const html = '<main><h1>Jazz night</h1><dl><dt>Price</dt><dd>£22</dd></dl></main>'
    expect(readPage(html, { price: number, reducedPrice: number }).value).toEqual({ price: 22 })
  })

  it('reads several values from one line', () => {
    const html = '<main><h1>How?</h1><div>Asked <time>3 Oct 2026</time> · Viewed 1,820 times</div></main>'
    expect(readPage(html, { askedAt: { type: 'string', format: 'date' }, views: number }).value).toEqual({
      askedAt: '2026-10-03',
      views: 1820,
    })
  })
})
