/** Pages of a shop with two of the themes that come with express-cart, rendered with its Handlebars views. */
import { readdirSync, readFileSync } from 'node:fs'
import { keep, load, packages, shop } from './page.mjs'

const views = `${packages}/express-cart/views`
const layout = readFileSync(`${views}/layouts/layout.hbs`, 'utf8')
const site = 'https://cart.example.com'
const formatPrice = ({ price }) => `€${price}`
const titles = { Cloth: 'camp kitchen', Material: 'kitchen' }

for (const [theme, term] of Object.entries(titles)) {
  const template = `express-cart-${theme.toLowerCase()}`
  const render = renderer(theme)
  for (const given of [shop.products[0], shop.products[3], shop.products[6]]) {
    keep(template, given.slug, render('product', { title: given.name, ...productPage(given) }), {
      url: `${site}/product/${given.slug}`,
      kind: 'product',
      title: given.name,
      records: [
        { kind: 'product', name: given.name, price: formatPrice(given), texts: [] },
        ...given.specification.map((cells) => ({ kind: 'row', texts: cells })),
        ...given.questions.map((texts) => ({ kind: 'question', texts })),
      ],
      texts: [given.summary, ...given.description],
    })
  }
  const results = shop.products.map((given) => ({
    _id: given.sku,
    productTitle: given.name,
    productPermalink: given.slug,
    productPrice: given.price,
  }))
  const truth = {
    kind: 'collection',
    records: shop.products.map((given) => ({
      kind: 'card',
      name: given.name,
      price: formatPrice(given),
      texts: [],
    })),
  }
  const category = { results, filtered: true, menuLink: { title: shop.category }, title: shop.category }
  keep(template, 'category', render('index', category), {
    ...truth,
    url: `${site}/category/${encodeURIComponent(shop.category)}`,
    title: shop.category,
  })
  keep(
    template,
    'search',
    render('index', { results, filtered: true, searchTerm: term, title: 'Results', page: 'search' }),
    {
      ...truth,
      url: `${site}/search/${encodeURIComponent(term)}`,
      title: term,
    },
  )
}

function productPage(given) {
  const rows = given.specification
    .map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`)
    .join('')
  const questions = given.questions
    .map(([question, answer]) => `<h4>${question}</h4><p>${answer}</p>`)
    .join('')
  const texts = [given.summary, ...given.description].map((text) => `<p>${text}</p>`).join('')
  return {
    result: {
      _id: given.sku,
      productTitle: given.name,
      productPrice: given.price,
      productPermalink: given.slug,
    },
    productDescription: `${texts}<table>${rows}</table>${questions && `<h3>Questions</h3>${questions}`}`,
    metaDescription: `${shop.name} - ${given.name}`,
  }
}

function renderer(theme) {
  const engine = load('handlebars').create()
  const same = (left, right) => left === right
  const tests = { '==': same, '===': same, '!=': (left, right) => left !== right, '>': (l, r) => l > r }
  engine.registerHelper({
    perRowClass: () => 'col-md-4 col-xl-4 col m4 xl4 product-item',
    menuMatch: () => '',
    getTheme: (view) => `themes/${theme}/${view}`,
    formatAmount: (amount) => Number(amount ?? 0).toFixed(2),
    checkProductOptions: () => 'false',
    currencySymbol: (sign) => sign,
    objectLength: (given) => Object.keys(given ?? {}).length,
    isNull(value, options) {
      return value === undefined || value === '' ? options.fn(this) : options.inverse(this)
    },
    ifCond(left, sign, right, options) {
      return tests[sign]?.(left, right) ? options.fn(this) : options.inverse(this)
    },
  })
  for (const file of readdirSync(`${views}/themes/${theme}`).filter((name) => name.endsWith('.hbs'))) {
    const text = readFileSync(`${views}/themes/${theme}/${file}`, 'utf8')
    engine.registerPartial(`themes/${theme}/${file.slice(0, -4)}`, text)
  }
  return (view, given) => {
    const config = {
      theme,
      cartTitle: shop.name,
      currencySymbol: '€',
      baseUrl: site,
      productsPerRow: 3,
      env: '',
    }
    const menu = {
      items: ['Camp kitchen', 'Repair bench', 'Gift vouchers'].map((title) => ({
        title,
        link: title,
      })),
    }
    const context = { config, session: {}, menu, showFooter: 'showFooter', helpers: {}, ...given }
    const body = engine.compile(`{{> themes/${theme}/${view}}}`)(context)
    return engine.compile(layout)({ ...context, body })
  }
}
