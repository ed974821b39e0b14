import { page, type Routes, sendHtml } from '../site/route.ts'
import type { AddressForm } from './address-forms.ts'

/** Returns routes of an allowed site that point to the canary in every way a page can. */
export function redirectRoutes(port: number, forms: AddressForm[]): Routes {
  const sitemapForms = sampleEvenly(forms, 60)
  const target = `http://127.0.0.1:${port}`
  const text = `<p>${'A page of the open site. '.repeat(20)}</p>`
  const quoted = (value: string | null) =>
    (value ?? target).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const redirectAway =
    (status: number): Routes[string] =>
    ({ response }) =>
      response.writeHead(status, { location: `${target}/away` }).end()
  return {
    // Drop bytes that headers cannot contain; the rest of the URL stays unchanged.
    '/lead': ({ url, response }) => {
      const target = (url.searchParams.get('to') ?? '').replace(/[\0\r\n]/g, '')
      const location = Buffer.from(target).toString('latin1')
      response.writeHead(Number(url.searchParams.get('status')), { location }).end()
    },
    '/recording': (exchange) => {
      const source = quoted(exchange.url.searchParams.get('src'))
      sendHtml(exchange, page('Recording', `${text}<audio src="${source}"></audio>`))
    },
    '/links': (exchange) => {
      const target = quoted(exchange.url.searchParams.get('to'))
      const links = `<a id="go" href="${target}">go</a><form action="${target}"><button id="send">send</button></form>`
      sendHtml(
        exchange,
        page('Links', `${text}${links}<link rel="alternate" type="application/rss+xml" href="${target}">`),
      )
    },
    '/robots.txt': ({ request, response, visit }) => {
      if (visit % 2 === 0) return response.writeHead(302, { location: `${target}/robots.txt` }).end()
      const lines = sitemapForms.map(({ url }) => `Sitemap: ${url.replaceAll(/\s/g, '')}`)
      response.end(`User-agent: *\n${lines.join('\n')}\nSitemap: http://${request.headers.host}/listed.xml\n`)
    },
    '/listed.xml': ({ response }) => {
      const entries = sitemapForms.map(({ url }) => `<sitemap><loc>${quoted(url)}</loc></sitemap>`)
      response.setHeader('content-type', 'application/xml')
      response.end(
        `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</sitemapindex>`,
      )
    },
    '/sitemap.xml': redirectAway(301),
    '/llms.txt': redirectAway(307),
    '/feed': redirectAway(308),
    '/everything': (exchange) => {
      const from = Number(exchange.url.searchParams.get('from'))
      const pageForms = forms.slice(from, from + formsPerPage)
      sendHtml(exchange, page('Everything', `${text}${requestForms(pageForms)}`))
    },
    '/asked': ({ response }) => response.end(),
  }
}

/** All requests of a page share the browser's few connections to the proxy. */
export const formsPerPage = 80

/**
 * Returns a script that requests every form with an image, a fetch, a WebSocket and a beacon, and then adds an
 * element.
 */
function requestForms(all: AddressForm[]): string {
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

/** Returns about `count` of the forms, spread over the list. */
export function sampleEvenly(forms: AddressForm[], count: number): AddressForm[] {
  return forms.filter((_, index) => index % Math.ceil(forms.length / count) === 0)
}
