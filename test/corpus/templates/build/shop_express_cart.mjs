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
  for (const product of [shop.products[0], shop.products[3], shop.products[6]]) {
    keep(template, product.slug, render('product', { title: product.name, ...productPage(product) }), {
      url: `${site}/product/${product.slug}`,
      kind: 'product',
      title: product.name,
      records: [
        { kind: 'product', name: product.name, price: formatPrice(product), texts: [] },
        ...product.specification.map((cells) => ({ kind: 'row', texts: cells })),
        ...product.questions.map((texts) => ({ kind: 'question', texts })),
      ],
      texts: [product.summary, ...product.description],
    })
  }
  const results = shop.products.map((product) => ({
    _id: product.sku,
    productTitle: product.name,
    productPermalink: product.slug,
    productPrice: product.price,
  }))
  const truth = {
    kind: 'collection',
    records: shop.products.map((product) => ({
      kind: 'card',
      name: product.name,
      price: formatPrice(product),
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

function productPage(product) {
  const rows = product.specification
    .map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`)
    .join('')
  const questions = product.questions
    .map(([question, answer]) => `<h4>${question}</h4><p>${answer}</p>`)
    .join('')
  const texts = [product.summary, ...product.description].map((text) => `<p>${text}</p>`).join('')
  return {
    result: {
      _id: product.sku,
      productTitle: product.name,
      productPrice: product.price,
      productPermalink: product.slug,
    },
    productDescription: `${texts}<table>${rows}</table>${questions && `<h3>Questions</h3>${questions}`}`,
    metaDescription: `${shop.name} - ${product.name}`,
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
    objectLength: (value) => Object.keys(value ?? {}).length,
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
  return (view, viewContext) => {
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
    const context = { config, session: {}, menu, showFooter: 'showFooter', helpers: {}, ...viewContext }
    const body = engine.compile(`{{> themes/${theme}/${view}}}`)(context)
    return engine.compile(layout)({ ...context, body })
  }
}
