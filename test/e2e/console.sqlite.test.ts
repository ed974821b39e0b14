import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { call, startOwnService } from '../api.ts'
import { assertConsoleBuilt, consoleFolder } from '../console.ts'

beforeAll(assertConsoleBuilt)

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${inject('deployment').urls[0]}${path}`, { redirect: 'manual', headers })

describe('the console', () => {
  it('is the redirect target of the service URL', async () => {
    const first = await get('/')
    expect(first.headers.get('location')).toBe('/console/')
    expect((await get('/console')).status).toBe(200)
  })

  it('serves a page at each of its paths, without external resources', async () => {
    for (const path of ['/console/', '/console/activity/1']) {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toContain('text/html')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(answer.headers.get('content-security-policy')).toMatch(
        /default-src 'none'; script-src 'self'; style-src 'self'.*frame-ancestors 'none'/,
      )
      const html = await answer.text()
      expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
    }
  })

  it('serves immutable files, compressed if the browser accepts it', async () => {
    const names = readdirSync(join(consoleFolder, 'assets'))
    const script = names.find((name) => name.startsWith('index-') && name.endsWith('.js'))
    const answer = await get(`/console/assets/${script}`, { 'accept-encoding': 'gzip' })
    expect(answer.headers.get('content-type')).toContain('text/javascript')
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    const plain = await get(`/console/assets/${script}`, { 'accept-encoding': 'identity' })
    expect(await answer.text()).toBe(await plain.text())
  })

  it('serves no other files', async () => {
    for (const path of ['assets/none.js', 'assets/../../package.json', 'assets/%2e%2e/%2e%2e/package.json']) {
      const answer = await get(`/console/${path}`)
      const text = await answer.text()
      expect(text).not.toContain('"dependencies"')
    }
    expect((await get('/console/assets/none.js')).status).toBe(404)
  })

  it('is listed in the capabilities', async () => {
    const { body } = await call('GET', '/v2/capabilities')
    expect(JSON.stringify(body)).toContain('/console/')
  })
})

describe('a service without a console', () => {
  it('redirects to the documentation', async () => {
    const plain = await startOwnService({ CONSOLE_PATH: 'off' })
    try {
      const answer = await fetch(plain.url, { redirect: 'manual' })
      expect(answer.headers.get('location')).toBe('/docs')
      expect((await fetch(`${plain.url}/console/`)).status).toBe(404)
    } finally {
      await plain.remove()
    }
  })
})
