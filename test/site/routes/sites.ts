import { gzipSync } from 'node:zlib'
import { type Exchange, numberFrom, page, type Routes, send, sendHtml } from '../route.ts'

/**
 * Sites within the site, each under its own path. A crawl of one starts at its path. Their robots.txt and sitemaps
 * must be at the root, and each test adds the ones it needs.
 */
export const siteRoutes: Routes = {
  '/shop': (exchange) => sendHtml(exchange, page('Shop', link('/shop/list?page=1', 'All products'))),
  '/shop/list': (exchange) => sendHtml(exchange, productList(exchange)),
  '/shop/product/:number': (exchange) => sendHtml(exchange, product(exchange)),

  '/tree': (exchange) => sendHtml(exchange, branch('', 0)),
  '/tree/:first': (exchange) => sendHtml(exchange, branch(exchange.params.first ?? '', 1)),
  '/tree/:first/:second': (exchange) =>
    sendHtml(exchange, branch(`${exchange.params.first}/${exchange.params.second}`, 2)),
  '/tree/:first/:second/:third': (exchange) =>
    sendHtml(exchange, page('Leaf', '<p>The end of a branch.</p>')),

  '/ring/:number': (exchange) => sendHtml(exchange, ring(exchange)),
  '/calendar/:year/:month': (exchange) => sendHtml(exchange, calendar(exchange)),
  '/twins': (exchange) => sendHtml(exchange, twins),
  '/twins/:name': (exchange) => sendTwin(exchange),
  '/scripted': (exchange) => sendHtml(exchange, scripted),
  '/scripted/:number': (exchange) =>
    sendHtml(
      exchange,
      page(`Scripted ${exchange.params.number}`, `<p>${'Text that needs no script. '.repeat(20)}</p>`),
    ),
  '/stories': (exchange) => sendHtml(exchange, stories),
  '/stories/:number': (exchange) => sendHtml(exchange, story(exchange)),
  '/series/:number': (exchange) => sendHtml(exchange, series(exchange)),
  '/mixed': (exchange) => sendHtml(exchange, mixed),
  '/mixed/fine': (exchange) => sendHtml(exchange, page('Fine', '<p>All is well.</p>')),
  '/mixed/broken': ({ response }) => response.destroy(),
}

const products = 1000
const perList = 20

function link(href: string, text: string) {
  return `<a href="${href}">${text}</a>`
}

function productList({ url }: Exchange) {
  const lists = products / perList
  const list = Math.max(1, numberFrom(url.searchParams.get('page'), 1, lists))
  const links = Array.from({ length: perList }, (_, index) => {
    const number = (list - 1) * perList + index + 1
    return `<li>${link(`/shop/product/${number}`, `Product ${number}`)}</li>`
  })
  const next = list < lists ? `<a rel="next" href="/shop/list?page=${list + 1}">Next</a>` : ''
  return page(`Products, page ${list}`, `<ul>${links.join('')}</ul>${next}`)
}

function product({ params: part }: Exchange) {
  return page(
    `Product ${part.number}`,
    `<p>Product ${part.number} is a fine one.</p>${link('/shop', 'Shop')}`,
  )
}

/** Returns a fork with three branches. With two levels of forks below the root, there are 1 + 3 + 9 + 27 pages. */
function branch(path: string, depth: number) {
  const links = [1, 2, 3].map((number) =>
    link(`/tree/${path === '' ? '' : `${path}/`}${number}`, `Branch ${number}`),
  )
  return page(
    `Fork ${path}`,
    `<p>A fork at depth ${depth}.</p>${links.join(' ')}${link('/', 'Out of the tree')}`,
  )
}

/** Returns a page that links to nearby pages, so that links never end and often repeat. */
function ring({ params: part, url }: Exchange) {
  const size = numberFrom(url.searchParams.get('of'), 100, 100_000)
  const number = numberFrom(part.number, 0, size)
  const links = Array.from({ length: 20 }, (_, step) => {
    const next = (number * 3 + step + 1) % size
    return link(`/ring/${next}${url.search}`, `Page ${next}`)
  })
  const text = 'A page of a ring, with words enough to be read as a page and not as a frame around nothing. '
  return page(`Ring ${number}`, `<p>${text.repeat(8)}</p>${links.join('\n')}`)
}

function calendar({ params: part }: Exchange) {
  const [year, month] = [Number(part.year), Number(part.month)]
  const after = month === 12 ? `${year + 1}/1` : `${year}/${month + 1}`
  return page(
    `${part.year}-${part.month}`,
    `<p>Nothing happens.</p>${link(`/calendar/${after}`, 'Next month')}`,
  )
}

const twins = page(
  'Twins',
  [
    '/twins/a',
    '/twins/a/',
    '/twins/a#part',
    '/twins/a?utm_source=mail',
    '/twins/moved',
    '/twins/b?sort=up',
    '/twins/b',
  ]
    .map((href) => link(href, href))
    .join(' '),
)

function sendTwin(exchange: Exchange) {
  if (exchange.params.name === 'moved')
    return exchange.response.writeHead(301, { location: '/twins/a' }).end()
  const canonical = `<link rel="canonical" href="/twins/${exchange.params.name}">`
  return sendHtml(
    exchange,
    page(`Twin ${exchange.params.name}`, '<p>One of two.</p>').replace('<title>', `${canonical}<title>`),
  )
}

/** A page that is empty before its script runs. */
const scripted = `<!doctype html><html><head><title>Scripted</title></head><body><div id="root"></div>
<script>
  document.getElementById('root').innerHTML = '<h1>Scripted</h1><p>' + 'Text made by a script. '.repeat(20) +
    '</p><a href="/scripted/1">One</a> <a href="/scripted/2">Two</a>'
</script></body></html>`

/** Returns a part of a series that names the next part only in its head. */
function series({ params: part }: Exchange) {
  const number = Number(part.number)
  const next = number < 4 ? `<link rel="next" href="/series/${number + 1}">` : ''
  return page(`Part ${number}`, `<p>${'A part of a series. '.repeat(20)}</p>`).replace(
    '<title>',
    `${next}<title>`,
  )
}

const mixed = page(
  'Mixed',
  ['/mixed/fine', '/mixed/broken', '/mixed/missing'].map((href) => link(href, href)).join(' '),
)

/** Returns routes for robots.txt, sitemaps and llms.txt of the site of one test. */
export function siteFileRoutes(files: {
  robots?: string
  sitemap?: string[]
  index?: string[][]
  llms?: string
}): Routes {
  const routes: Routes = {}
  const origin = ({ request }: Exchange) => `http://${request.headers.host}`
  const urlset = (paths: string[], base: string) =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>${new URL(path, base).href}</loc></url>`).join('')}</urlset>`
  const { robots, sitemap, index, llms } = files
  if (robots !== undefined) {
    routes['/robots.txt'] = ({ response }) => send(response, { 'content-type': 'text/plain' }, robots)
  }
  if (sitemap) {
    routes['/sitemap.xml'] = (exchange) =>
      send(exchange.response, { 'content-type': 'application/xml' }, urlset(sitemap, origin(exchange)))
  }
  if (index) {
    routes['/sitemap.xml'] = (exchange) => {
      const list = index.map(
        (_, part) => `<sitemap><loc>${origin(exchange)}/sitemap-${part}.xml.gz</loc></sitemap>`,
      )
      send(
        exchange.response,
        { 'content-type': 'application/xml' },
        `<sitemapindex>${list.join('')}</sitemapindex>`,
      )
    }
    for (const [part, paths] of index.entries()) {
      routes[`/sitemap-${part}.xml.gz`] = (exchange) =>
        send(
          exchange.response,
          { 'content-type': 'application/gzip' },
          gzipSync(urlset(paths, origin(exchange))),
        )
    }
  }
  if (llms !== undefined) {
    routes['/llms.txt'] = ({ response }) => send(response, { 'content-type': 'text/plain' }, llms)
  }
  return routes
}

const stories = page(
  'Stories',
  Array.from({ length: 30 }, (_, index) => link(`/stories/${index + 1}`, `Story ${index + 1}`)).join(' '),
)

/** Returns a story. All stories contain the same notice. */
function story({ params: part }: Exchange) {
  const paragraph = (town: string) =>
    `<p>Story ${part.number} tells of a voyage to the harbour of town ${part.number}${town}, of the people who live there,
    and of the ships that never came back from it.</p>`
  const notice = `<p>Please remember that our office moves in spring, and that letters should go to the new address from
    then on.</p>`
  return page(
    `Story ${part.number}`,
    `<nav>${link('/stories', 'All stories')}</nav><article><h2>What is told</h2>${paragraph('a')}${notice}${paragraph('b')}${paragraph('c')}</article>`,
  )
}
