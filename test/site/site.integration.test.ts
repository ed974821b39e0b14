import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { get as getTls } from 'node:https'
import { buffer } from 'node:stream/consumers'
import * as zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Charset, sentences } from './routes/charsets.ts'
import { encodedPage } from './routes/encodings.ts'
import { forbiddenTargets } from './routes/redirects.ts'
import { type Site, startSite, startTlsSite } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: { '/own/:word': ({ response, params: part }) => response.end(part.word) },
  })
})
afterAll(() => site.stop())

const text = async (path: string) => (await fetch(site.url + path)).text()
const hop = (path: string) => fetch(site.url + path, { redirect: 'manual' })

/** Returns the body as transferred, which `fetch` would decode. */
async function wireBytes(path: string) {
  // The 'response' event of a client request has this one argument.
  const [response] = (await once(get(site.url + path), 'response')) as [IncomingMessage]
  return { bytes: await buffer(response), headers: response.headers }
}

describe('the request log of the site', () => {
  it('counts visits by path, ignoring the query', async () => {
    await text('/count/counted')
    expect(await text('/count/counted?again=1')).toContain('Visit 2')
    expect(site.hits('/count/counted')).toBe(2)
  })

  it('stores requests as sent', async () => {
    await fetch(`${site.url}/own/hook?a=1`, { method: 'POST', body: 'sent', headers: { 'x-mark': 'here' } })
    const request = site.requests.find(({ path }) => path === '/own/hook?a=1')
    expect(request).toMatchObject({ method: 'POST', body: 'sent', headers: { 'x-mark': 'here' } })
  })

  it('serves routes of a single test', async () => {
    expect(await text('/own/word')).toBe('word')
  })

  it('returns its URL under other host names', () => {
    expect(site.host('shop.test')).toBe(`http://shop.test:${site.port}`)
  })
})

describe('the pages', () => {
  it('contain an article with repeated metadata', async () => {
    const html = await text('/article')
    expect(html.match(/name="keywords"/g)).toHaveLength(2)
    expect(html.match(/property="og:locale:alternate"/g)).toHaveLength(2)
  })

  it('contain the article with another base URL', async () => {
    expect(await text('/article-with-base')).toContain('<base href="/elsewhere/">')
  })

  it('are numbered without end', async () => {
    expect(await text('/pages/4711')).toContain('<title>Page 4711</title>')
  })

  it('contain as many links as requested', async () => {
    expect((await text('/links/5000')).match(/<a href/g)).toHaveLength(5000)
  })

  it('have as many bytes as requested', async () => {
    expect(await text('/size?bytes=100001&chunked')).toHaveLength(100_001)
  })

  it('echo the headers of the visitor', async () => {
    const response = await fetch(`${site.url}/headers`, { headers: { 'x-mark': 'here' } })
    expect(await response.json()).toMatchObject({ method: 'GET', headers: { 'x-mark': 'here' } })
  })

  it('include a PDF with a correct offset table', async () => {
    const pdf = (await wireBytes('/files/paper.pdf')).bytes.toString('latin1')
    const offset = Number(/startxref\n(\d+)/.exec(pdf)?.[1])
    expect(pdf.slice(offset, offset + 4)).toBe('xref')
  })

  it.each([404, 500, 403])('respond to /status/%i with an HTML body', async (code) => {
    const response = await fetch(`${site.url}/status/${code}`)
    expect([response.status, await response.text()]).toEqual([code, expect.stringContaining('<h1>')])
  })

  it.each([204, 304])('respond to /status/%i with no body', async (code) => {
    const response = await fetch(`${site.url}/status/${code}`)
    expect([response.status, await response.text()]).toEqual([code, ''])
  })
})

describe('the charset pages', () => {
  // The keys of this object.
  const charsets = Object.keys(sentences) as Charset[]

  it.each(charsets)('are encoded in %s', async (charset) => {
    const { bytes } = await wireBytes(`/charset/${charset}/none`)
    expect(new TextDecoder(charset).decode(bytes)).toContain(`<p>${sentences[charset]}</p>`)
  })

  it.each(charsets)('are not readable as UTF-8 in %s', async (charset) => {
    expect((await wireBytes(`/charset/${charset}/none`)).bytes.toString()).not.toContain(sentences[charset])
  })

  it('declare the wrong charset in the header for header-wrong', async () => {
    const { bytes, headers } = await wireBytes('/charset/gbk/header-wrong')
    expect(headers['content-type']).toBe('text/html; charset=windows-1251')
    expect(bytes.toString('latin1')).toContain('<meta charset="gbk">')
  })
})

describe('the encoded pages', () => {
  const decoders: Record<string, (bytes: Buffer) => Buffer> = {
    gzip: zlib.gunzipSync,
    deflate: zlib.inflateSync,
    'deflate-raw': zlib.inflateRawSync,
    br: zlib.brotliDecompressSync,
    zstd: zlib.zstdDecompressSync,
    'gzip-br': (bytes) => zlib.gunzipSync(zlib.brotliDecompressSync(bytes)),
    lying: (bytes) => bytes,
  }

  it.each(Object.entries(decoders))('decode as %s', async (name, decode) => {
    expect(decode((await wireBytes(`/encoded/${name}`)).bytes).toString()).toBe(encodedPage)
  })

  it('end in the middle of a truncated gzip', async () => {
    const { bytes } = await wireBytes('/encoded/truncated-gzip')
    expect(() => zlib.gunzipSync(bytes)).toThrow('unexpected end of file')
  })

  it('contain a gigabyte in a megabyte', async () => {
    const { bytes } = await wireBytes('/encoded/gzip-bomb')
    expect(bytes.length).toBeLessThan(2 * 1024 ** 2)
    let size = 0
    const gunzip = zlib.createGunzip({ chunkSize: 1024 ** 2 })
    gunzip.end(bytes)
    for await (const chunk of gunzip) size += chunk.length
    expect(size).toBe(1024 ** 3)
  })
})

describe('the redirects', () => {
  it('take as many hops as requested', async () => {
    expect((await fetch(`${site.url}/redirect/chain/19`)).url).toBe(`${site.url}/redirect/chain/0`)
    expect(site.hits('/redirect/chain/19')).toBe(1)
  })

  it('form a loop for /redirect/loop', async () => {
    await expect(text('/redirect/loop')).rejects.toThrow()
  })

  it.each([301, 302, 303, 307, 308])('support status %i', async (code) => {
    expect((await hop(`/redirect/status/${code}`)).status).toBe(code)
  })

  it.each(Object.entries(forbiddenTargets))('point to a forbidden URL: %s', async (kind, target) => {
    expect((await hop(`/redirect/forbidden/${kind}`)).headers.get('location')).toBe(target)
  })

  it('omit the location for /redirect/missing-location', async () => {
    expect((await hop('/redirect/missing-location')).headers.has('location')).toBe(false)
  })

  it('set cookies during a redirect', async () => {
    const response = await hop('/cookies/set')
    expect(response.headers.getSetCookie()).toContain('visit=first; Path=/')
  })

  it('show the received cookies', async () => {
    const response = await fetch(`${site.url}/cookies/read`, { headers: { cookie: 'visit=first' } })
    expect(await response.text()).toContain('visit=first')
  })
})

describe('the faulty pages', () => {
  it('break off in the middle', async () => {
    await expect(text('/reset')).rejects.toThrow()
  })

  it('send an empty reply', async () => {
    await expect(text('/empty-reply')).rejects.toThrow()
  })

  it.each(['too-long', 'conflicting'])('declare a length that is %s', async (kind) => {
    await expect(text(`/content-length/${kind}`)).rejects.toThrow()
  })

  it('send more bytes than the declared length', async () => {
    expect(await text('/content-length/too-short')).toBe('<p>Lo')
  })

  it('arrive letter by letter', async () => {
    expect(await text('/slow-body?ms=1&bytes=5')).toBe('ddddd')
  })

  it('continue as long as the client reads', async () => {
    const response = await fetch(`${site.url}/endless`)
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > 1_000_000) break
    }
    expect(bytes).toBeGreaterThan(1_000_000)
  })

  it('disconnect waiting clients when the site stops', async () => {
    const stoppingSite = await startSite()
    const waiting = fetch(`${stoppingSite.url}/hang`)
    const disconnected = expect(waiting).rejects.toThrow()
    await expect.poll(() => stoppingSite.hits('/hang')).toBe(1)
    await stoppingSite.stop()
    await disconnected
  })
})

describe('the site behind TLS', () => {
  it('is rejected by a client that checks certificates', async () => {
    const secure = await startTlsSite()
    await expect(fetch(`${secure.url}/article`)).rejects.toMatchObject({
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    })
    await secure.stop()
  })

  it('is accepted by a client that trusts its certificate', async () => {
    const secure = await startTlsSite()
    const request = getTls(`${secure.url}/pages/1`, { ca: secure.certificate })
    // The event has one argument, as above.
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect((await buffer(response)).toString()).toContain('Page 1')
    await secure.stop()
  })
})
