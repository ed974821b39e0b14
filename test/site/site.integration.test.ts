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
  site = await startSite({ routes: { '/own/:word': ({ response, part }) => response.end(part.word) } })
})
afterAll(() => site.stop())

const text = async (path: string) => (await fetch(site.url + path)).text()
const hop = (path: string) => fetch(site.url + path, { redirect: 'manual' })

/** The body as it went over the wire, which `fetch` would decode. */
async function wireBytes(path: string) {
  // A 'response' event of a client request has this one argument.
  const [response] = (await once(get(site.url + path), 'response')) as [IncomingMessage]
  return { bytes: await buffer(response), headers: response.headers }
}

describe('the record of the site', () => {
  it('counts visits by path, whatever the query', async () => {
    await text('/count/counted')
    expect(await text('/count/counted?again=1')).toContain('Visit 2')
    expect(site.hits('/count/counted')).toBe(2)
  })

  it('keeps what was sent', async () => {
    await fetch(`${site.url}/own/hook?a=1`, { method: 'POST', body: 'sent', headers: { 'x-mark': 'here' } })
    const request = site.requests.find(({ path }) => path === '/own/hook?a=1')
    expect(request).toMatchObject({ method: 'POST', body: 'sent', headers: { 'x-mark': 'here' } })
  })

  it('serves routes of one test', async () => {
    expect(await text('/own/word')).toBe('word')
  })

  it('names itself by other hosts', () => {
    expect(site.host('shop.test')).toBe(`http://shop.test:${site.port}`)
  })
})

describe('the pages', () => {
  it('have an article with repeated metadata', async () => {
    const html = await text('/article')
    expect(html.match(/name="keywords"/g)).toHaveLength(2)
    expect(html.match(/property="og:locale:alternate"/g)).toHaveLength(2)
  })

  it('have the article under another base', async () => {
    expect(await text('/article-with-base')).toContain('<base href="/elsewhere/">')
  })

  it('are numbered without end', async () => {
    expect(await text('/pages/4711')).toContain('<title>Page 4711</title>')
  })

  it('have as many links as asked for', async () => {
    expect((await text('/links/5000')).match(/<a href/g)).toHaveLength(5000)
  })

  it('have as many bytes as asked for', async () => {
    expect(await text('/size?bytes=100001&chunked')).toHaveLength(100_001)
  })

  it('echo the headers of the visitor', async () => {
    const response = await fetch(`${site.url}/headers`, { headers: { 'x-mark': 'here' } })
    expect(await response.json()).toMatchObject({ method: 'GET', headers: { 'x-mark': 'here' } })
  })

  it('include a PDF whose table of offsets is where it says', async () => {
    const pdf = (await wireBytes('/files/paper.pdf')).bytes.toString('latin1')
    const offset = Number(/startxref\n(\d+)/.exec(pdf)?.[1])
    expect(pdf.slice(offset, offset + 4)).toBe('xref')
  })

  it.each([404, 500, 403])('answer %i with an HTML body', async (code) => {
    const response = await fetch(`${site.url}/status/${code}`)
    expect([response.status, await response.text()]).toEqual([code, expect.stringContaining('<h1>')])
  })

  it.each([204, 304])('answer %i with nothing', async (code) => {
    const response = await fetch(`${site.url}/status/${code}`)
    expect([response.status, await response.text()]).toEqual([code, ''])
  })
})

describe('the charset pages', () => {
  // The keys of this very object.
  const charsets = Object.keys(sentences) as Charset[]

  it.each(charsets)('are written in %s', async (charset) => {
    const { bytes } = await wireBytes(`/charset/${charset}/none`)
    expect(new TextDecoder(charset).decode(bytes)).toContain(`<p>${sentences[charset]}</p>`)
  })

  it.each(charsets)('do not read as UTF-8 in %s', async (charset) => {
    expect((await wireBytes(`/charset/${charset}/none`)).bytes.toString()).not.toContain(sentences[charset])
  })

  it('say the wrong charset in the header when asked to', async () => {
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

  it('break off in the middle of a truncated gzip', async () => {
    const { bytes } = await wireBytes('/encoded/truncated-gzip')
    expect(() => zlib.gunzipSync(bytes)).toThrow('unexpected end of file')
  })

  it('hold a gigabyte in a megabyte', async () => {
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
  it('take as many hops as asked for', async () => {
    expect((await fetch(`${site.url}/redirect/chain/19`)).url).toBe(`${site.url}/redirect/chain/0`)
    expect(site.hits('/redirect/chain/19')).toBe(1)
  })

  it('come back to themselves in a loop', async () => {
    await expect(text('/redirect/loop')).rejects.toThrow()
  })

  it.each([301, 302, 303, 307, 308])('know status %i', async (code) => {
    expect((await hop(`/redirect/status/${code}`)).status).toBe(code)
  })

  it.each(Object.entries(forbiddenTargets))('point to a forbidden address: %s', async (kind, target) => {
    expect((await hop(`/redirect/forbidden/${kind}`)).headers.get('location')).toBe(target)
  })

  it('leave out the location when asked to', async () => {
    expect((await hop('/redirect/missing-location')).headers.has('location')).toBe(false)
  })

  it('set cookies on the way', async () => {
    const response = await hop('/cookies/set')
    expect(response.headers.getSetCookie()).toContain('visit=first; Path=/')
  })

  it('show the cookies that came along', async () => {
    const response = await fetch(`${site.url}/cookies/read`, { headers: { cookie: 'visit=first' } })
    expect(await response.text()).toContain('visit=first')
  })
})

describe('the troubled pages', () => {
  it('break off in the middle', async () => {
    await expect(text('/reset')).rejects.toThrow()
  })

  it('answer with nothing at all', async () => {
    await expect(text('/empty-reply')).rejects.toThrow()
  })

  it.each(['too-long', 'conflicting'])('promise a length that is %s', async (kind) => {
    await expect(text(`/content-length/${kind}`)).rejects.toThrow()
  })

  it('send more than the length they promise', async () => {
    expect(await text('/content-length/too-short')).toBe('<p>Lo')
  })

  it('arrive letter by letter', async () => {
    expect(await text('/slow-body?ms=1&bytes=5')).toBe('ddddd')
  })

  it('go on for as long as somebody reads', async () => {
    const response = await fetch(`${site.url}/endless`)
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > 1_000_000) break
    }
    expect(bytes).toBeGreaterThan(1_000_000)
  })

  it('let go of waiting clients when the site stops', async () => {
    const ending = await startSite()
    const waiting = fetch(`${ending.url}/hang`)
    const refused = expect(waiting).rejects.toThrow()
    await expect.poll(() => ending.hits('/hang')).toBe(1)
    await ending.stop()
    await refused
  })
})

describe('the site behind TLS', () => {
  it('is refused by a client that checks certificates', async () => {
    const secure = await startTlsSite()
    await expect(fetch(`${secure.url}/article`)).rejects.toMatchObject({
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    })
    await secure.stop()
  })

  it('opens to a client that trusts this one', async () => {
    const secure = await startTlsSite()
    const request = getTls(`${secure.url}/pages/1`, { ca: secure.certificate })
    // As above: this one argument.
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect((await buffer(response)).toString()).toContain('Page 1')
    await secure.stop()
  })
})
