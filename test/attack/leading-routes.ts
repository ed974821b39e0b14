import { page, type Routes, sendHtml } from '../site/route.ts'
import type { AddressForm } from './address-forms.ts'

/** Pages of the open site that lead to the canary in every way a page can. */
export function leadingRoutes(port: number, forms: AddressForm[]): Routes {
  const listed = every(forms, 60)
  const target = `http://127.0.0.1:${port}`
  const text = `<p>${'A page of the open site. '.repeat(20)}</p>`
  const quoted = (value: string | null) =>
    (value ?? target).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const away =
    (status: number): Routes[string] =>
    ({ response }) =>
      response.writeHead(status, { location: `${target}/away` }).end()
  return {
    // A byte that headers do not carry is left out; the rest of the address stands as it is.
    '/lead': ({ url, response }) => {
      const to = (url.searchParams.get('to') ?? '').replace(/[\0\r\n]/g, '')
      const location = Buffer.from(to).toString('latin1')
      response.writeHead(Number(url.searchParams.get('status')), { location }).end()
    },
    '/recording': (exchange) => {
      const source = quoted(exchange.url.searchParams.get('src'))
      sendHtml(exchange, page('Recording', `${text}<audio src="${source}"></audio>`))
    },
    '/links': (exchange) => {
      const to = quoted(exchange.url.searchParams.get('to'))
      const links = `<a id="go" href="${to}">go</a><form action="${to}"><button id="send">send</button></form>`
      sendHtml(
        exchange,
        page('Links', `${text}${links}<link rel="alternate" type="application/rss+xml" href="${to}">`),
      )
    },
    '/robots.txt': ({ request, response, visit }) => {
      if (visit % 2 === 0) return response.writeHead(302, { location: `${target}/robots.txt` }).end()
      const lines = listed.map(({ url }) => `Sitemap: ${url.replaceAll(/\s/g, '')}`)
      response.end(`User-agent: *\n${lines.join('\n')}\nSitemap: http://${request.headers.host}/listed.xml\n`)
    },
    '/listed.xml': ({ response }) => {
      const entries = listed.map(({ url }) => `<sitemap><loc>${quoted(url)}</loc></sitemap>`)
      response.setHeader('content-type', 'application/xml')
      response.end(
        `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</sitemapindex>`,
      )
    },
    '/sitemap.xml': away(301),
    '/llms.txt': away(307),
    '/feed': away(308),
    '/everything': (exchange) => {
      const from = Number(exchange.url.searchParams.get('from'))
      const some = forms.slice(from, from + formsPerPage)
      sendHtml(exchange, page('Everything', `${text}${askingFor(some)}`))
    },
    '/asked': ({ response }) => response.end(),
  }
}

/** All requests of a page wait for its few connections to the proxy. */
export const formsPerPage = 80

/** Asks for every form by an image, a frame, a request and a socket; then tells that it did. */
function askingFor(all: AddressForm[]): string {
  return `<script>
for (const url of ${JSON.stringify(all.map(({ url }) => url))}) {
  try { new Image().src = url } catch {}
  try { fetch(url, { mode: 'no-cors' }).catch(() => {}) } catch {}
  try { new WebSocket(url.replace(/^http/, 'ws')) } catch {}
  try { navigator.sendBeacon(url, 'x') } catch {}
}
fetch('/asked').then(() => document.body.insertAdjacentHTML('beforeend', '<i id="asked">all</i>'))
</script>`
}

/** About `count` of the forms, from everywhere in the list. */
export function every(forms: AddressForm[], count: number): AddressForm[] {
  return forms.filter((_, index) => index % Math.ceil(forms.length / count) === 0)
}
