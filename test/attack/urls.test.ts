import { afterAll, beforeAll } from 'vitest'
import { call } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'
import { attackClass, isFull } from './attack.ts'
import { randomSource } from './random.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/lead': ({ request, response }) => {
        const to = new URL(request.url ?? '', 'http://site').searchParams.get('to') ?? ''
        response.writeHead(302, { location: to }).end()
      },
    },
  })
})
afterAll(() => site.stop())

const users = ['a%zz', '%', 'a:%', ':%ff', '%e0%a4', 'a%00b', '%0d%0a:x', 'a:b:c', '@', 'ü:ö', '\ud800']
const hosts = [
  'HOST',
  'xn--a',
  'xn--',
  'a..b',
  '%zz',
  '[::1',
  '[::ffff:1',
  '1.2.3.4.5',
  '256.1.1.1',
  'ｌ.ｅ',
  'a\u00adb.c',
]
const ports = ['', ':', ':0', ':65536', ':99999999999', ':-1', ':8o', ': 80', ':٣']
const paths = ['', '/%zz', '/\t', '/\n', '/\u0000', '/%00', '?%', '#%', '/..%2f', '\\', '/\ud800']

const { oneOf, isLucky } = randomSource(7)
const schemes = ['http://', 'https://', 'HTTP://', 'http:\\\\', '']
const mixedUrls = Array.from({ length: isFull ? 400 : 24 }, () => {
  const user = isLucky(0.6) ? `${oneOf(users)}@` : ''
  return `${oneOf(schemes)}${user}${oneOf(hosts)}${oneOf(ports)}${oneOf(paths)}`
})
const brokenUrls = users.map((user) => `http://${user}@HOST/pages/1`)

const routes: [string, (url: string) => object][] = [
  ['/v2/scrape', (url) => ({ url, fastMode: true, timeout: 5000 })],
  ['/v2/scrape', (url) => ({ url: `${site.url}/lead?to=${encodeURIComponent(url)}`, fastMode: true })],
  ['/v2/map', (url) => ({ url, timeout: 5000 })],
  ['/v2/crawl', (url) => ({ url, limit: 1 })],
  ['/v2/batch/scrape', (url) => ({ urls: [url], fastMode: true })],
  ['/v2/batch/scrape', (url) => ({ urls: [site.url], webhook: url })],
  ['/v2/extract', (url) => ({ urls: [url], schema: { type: 'object', properties: {} } })],
  ['/v1/scrape', (url) => ({ url, timeout: 5000 })],
]

attackClass({
  name: 'urls: an address that breaks its reader',
  vectors: [...brokenUrls, ...mixedUrls],
  concurrency: 3,
  run: async (text) => {
    const url = text.replace('HOST', `127.0.0.1:${site.port}`).toWellFormed()
    for (const [path, bodyFor] of routes) {
      const { status, body } = await call('POST', path, { body: bodyFor(url) })
      if (status >= 500 && !/^SCRAPE_/.test(body.code)) return `${path}: ${status} ${JSON.stringify(body)}`
      const isBroken = /^http:\/\/(a%zz|%|a:%|:%ff|%e0%a4)@/.test(text)
      if (
        isBroken &&
        path === '/v2/scrape' &&
        !JSON.stringify(bodyFor(url)).includes('/lead') &&
        status !== 400
      )
        return `${path}: ${status}`
    }
    return undefined
  },
})
