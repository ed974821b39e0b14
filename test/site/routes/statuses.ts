import { STATUS_CODES } from 'node:http'
import { numberFrom, page, type Routes } from '../route.ts'

const withoutBody = new Set([204, 205, 304])

export const statusRoutes: Routes = {
  '/status/:code': ({ response, params: part, url }) => {
    const code = Math.max(numberFrom(part.code, 200, 599), 200)
    const retryAfter = url.searchParams.get('retry-after')
    if (retryAfter) response.setHeader('retry-after', retryAfter)
    if (withoutBody.has(code)) return response.writeHead(code).end()
    const title = `${code} ${STATUS_CODES[code] ?? 'Unnamed'}`
    response.writeHead(code, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page(title, `<p>This page always answers with status ${code}.</p>`))
  },
  // Fails a given number of times for each name, then succeeds.
  '/flaky/:name/:failures': ({ response, params: part, visit }) => {
    const isWorking = visit > numberFrom(part.failures, 1, 100)
    response.writeHead(isWorking ? 200 : 503, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page(isWorking ? 'Recovered' : 'Unavailable', `<p>Visit ${visit}</p>`))
  },
}
