import { describe, expect, it } from 'vitest'
import { readPage } from '../../content/content.ts'
import { menuOf } from './menu.ts'

const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

function read(html: string, url = 'https://www.lantern.example/menu') {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const content = readPage(page, options)
  return menuOf(content.tree(), { url, base: content.base(), metadata: content.metadata() })
}

function page(language: string, body: string, { title = 'Menu', head = '' } = {}): string {
  return `<!doctype html><html lang="${language}"><head><title>${title}</title>${head}</head><body>
<header><nav><a href="/">Home</a><a href="/menu">Menu</a></nav></header><main>${body}</main>
<footer><p>Open daily 11.30 - 22.00</p><p>© 2026 The Lantern</p></footer></body></html>`
}

const card = (name: string, text: string, price: string) =>
  `<div class="item"><h3>${name}</h3><p>${text}</p><span class="price">${price}</span><button>Add</button></div>`

describe('a menu that a page shows', () => {
  it('has items as clients know them', () => {
    const item = `<div class="item"><img src="/soup.jpg" alt="A bowl"><h3><a href="/soup">Tomato soup (V)</a></h3><p>with bread, 320 kcal</p><span>$8</span></div>`
    const { menu, notes } = read(
      page('en-US', `<h2>Soups</h2>${item}${card('Leek soup', 'Sold out', '$7')}<p>V = vegetarian</p>`),
    )
    expect(notes).toEqual([])
    expect(menu).toMatchObject({ isMenu: true, currency: 'USD', merchant: { name: 'The Lantern' } })
    expect(menu.sections[0]?.id).toBe('soups')
    expect(menu.sections[0]?.items).toEqual([
      {
        id: 'tomato-soup',
        name: 'Tomato soup',
        description: 'with bread, 320 kcal',
        images: [{ url: 'https://www.lantern.example/soup.jpg', alt: 'A bowl' }],
        price: { amount: 8, currency: 'USD', formatted: '$8' },
        availability: { inStock: true },
        dietary: ['vegetarian'],
        calories: 320,
        optionGroups: [],
        identifiers: {},
        url: 'https://www.lantern.example/soup',
        sourceUrl: 'https://www.lantern.example/menu',
      },
      expect.objectContaining({ name: 'Leek soup', availability: { inStock: false, text: 'Sold out' } }),
    ])
  })

  it('says that the currency is not stated', () => {
    const { menu, notes } = read(
      page('en', '<h2>Soups</h2><ul><li>Leek soup 6.50</li><li>Fish soup 8.50</li></ul>'),
    )
    expect(menu).not.toHaveProperty('currency')
    expect(notes).toEqual([expect.stringContaining('currency')])
  })
})

describe('a menu that a page states', () => {
  const stated = {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    name: 'Lighthouse',
    currenciesAccepted: 'EUR',
    address: { '@type': 'PostalAddress', addressLocality: 'Lund', addressCountry: 'SE' },
    hasMenu: {
      '@type': 'Menu',
      hasMenuSection: [
        {
          '@type': 'MenuSection',
          name: 'Starters',
          description: 'small',
          hasMenuItem: {
            '@type': 'MenuItem',
            '@id': 'soup-1',
            name: 'Soup',
            description: 'tomato',
            offers: { '@type': 'Offer', price: '8.50', availability: 'https://schema.org/SoldOut' },
            suitableForDiet: 'https://schema.org/VeganDiet',
            nutrition: { '@type': 'NutritionInformation', calories: '170 calories' },
            image: '/soup.jpg',
          },
        },
        {
          '@type': 'MenuSection',
          name: 'Mains',
          hasMenuSection: {
            '@type': 'MenuSection',
            name: 'Fish',
            hasMenuItem: [
              {
                '@type': 'MenuItem',
                name: 'Cod',
                offers: [
                  { '@type': 'Offer', name: 'half', price: 12, priceCurrency: 'SEK' },
                  { '@type': 'Offer', name: 'whole', price: 20, priceCurrency: 'SEK' },
                ],
              },
              { '@type': 'MenuItem', name: 'Catch of the day' },
            ],
          },
        },
      ],
    },
  }

  it('is taken from JSON-LD, before what it shows', () => {
    const head = `<script type="application/ld+json">${JSON.stringify(stated)}</script>`
    const { menu, notes } = read(page('en', '<ul><li>Tea £2</li><li>Coffee £3</li></ul>', { head }))
    expect(menu).toMatchObject({
      isMenu: true,
      confidence: 0.95,
      merchant: {
        ...{ name: 'Lighthouse', type: 'Restaurant' },
        location: { addressLocality: 'Lund', addressCountry: 'SE' },
      },
      sections: [
        {
          ...{ id: 'starters', name: 'Starters', description: 'small' },
          items: [
            {
              ...{ id: 'soup-1', name: 'Soup', description: 'tomato', dietary: ['vegan'], calories: 170 },
              price: { amount: 8.5, currency: 'EUR' },
              availability: { inStock: false, text: 'SoldOut' },
              images: [{ url: 'https://www.lantern.example/soup.jpg' }],
              identifiers: { merchantItemId: 'soup-1' },
            },
          ],
        },
        {
          name: 'Mains > Fish',
          items: [
            {
              name: 'Cod',
              price: { amount: 12, currency: 'SEK' },
              optionGroups: [{ options: [{ name: 'half' }, { name: 'whole' }] }],
            },
            { name: 'Catch of the day' },
          ],
        },
      ],
    })
    expect(menu).not.toHaveProperty('currency')
    expect(notes).toEqual(['1 of 3 items have no price.'])
  })

  it('is taken from microdata', () => {
    const html = `<div itemscope itemtype="https://schema.org/Menu"><h1 itemprop="name">Lunch</h1>
<div itemprop="hasMenuSection" itemscope itemtype="https://schema.org/MenuSection"><h2 itemprop="name">Soups</h2>
<div itemprop="hasMenuItem" itemscope itemtype="https://schema.org/MenuItem"><h3 itemprop="name">Leek soup</h3>
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="6.5">£6.50</span>
<meta itemprop="priceCurrency" content="GBP"></div></div></div></div>`
    const { menu } = read(page('en', html))
    expect(menu.currency).toBe('GBP')
    expect(menu.sections).toMatchObject([
      { name: 'Soups', items: [{ name: 'Leek soup', price: { amount: 6.5 } }] },
    ])
  })
})

describe('a page that is no menu', () => {
  const plan = (name: string, price: string) =>
    `<div class="plan"><h3>${name}</h3><p>For teams</p><p class="price">${price}</p></div>`
  const cheese = (name: string) =>
    `<div class="product"><h3>${name} cheese</h3><p>200 g</p><span>£4.50</span><button>Add to basket</button></div>`
  it.each([
    [
      'prices of software',
      page('en', plan('Basic', '$9') + plan('Team', '$29') + plan('Large', '$99'), { title: 'Plans' }),
      'plans',
    ],
    [
      'a shop for food',
      page('en-GB', ['Cheddar', 'Brie', 'Stilton', 'Feta'].map(cheese).join(''), { title: 'Cheese' }),
      'cheese',
    ],
    [
      'rooms',
      page('en', '<ul><li>Single room £80</li><li>Double room £120</li></ul>', { title: 'Rooms' }),
      'rooms',
    ],
    [
      'a story',
      page('en', '<p>The pier cost £5 million, which was a lot.</p><p>Chicken is popular.</p>', {
        title: 'News',
      }),
      'news',
    ],
    ['a restaurant without prices', page('en', '<h2>Starters</h2><p>Soup</p><p>Salad</p>'), 'menu'],
    ['nothing', '', 'empty'],
  ])('is %s', (_, html, path) => {
    const { menu, notes } = read(html, `https://www.lantern.example/${path}`)
    expect(menu).toMatchObject({ isMenu: false, sections: [] })
    expect(menu.confidence).toBeLessThan(0.5)
    expect(notes).toEqual(['the page shows no menu that can be read.'])
  })

  it('has its host as the name where nothing else names it', () => {
    expect(read('', 'https://lantern.example/').menu.merchant).toEqual({ name: 'lantern.example' })
  })
})
