import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, scrape } from '../api.ts'
import { finished, start } from '../crawls.ts'
import { post } from '../documents/post.ts'
import { type Exchange, page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let story = 'The first version of the story.'
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/story/:name': (exchange) => sendStory(exchange),
      '/shop': (exchange) => sendHtml(exchange, shop),
      '/podcast': (exchange) =>
        sendHtml(exchange, page('Podcast', '<p>Listen.</p><audio src="/tone.wav"></audio>')),
      '/tone.wav': ({ response }) => response.writeHead(200, { 'content-type': 'audio/wav' }).end(tone()),
    },
  })
})
afterAll(() => site.stop())

function sendStory(exchange: Exchange): void {
  if (story === '') exchange.response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Gone</h1>')
  else sendHtml(exchange, page('Story', `<p>${story}</p><p>The end stays the same.</p>`))
}

const data = async (path: string, formats: unknown[], options: object = {}): Promise<Json> => {
  const { body } = await scrape({ url: site.url + path, formats, ...options })
  expect(body.error).toBeUndefined()
  return body.data
}

describe('attributes', () => {
  it('returns the values of an attribute, in the order of the page', async () => {
    const selectors = [
      { selector: 'a', attribute: 'href' },
      { selector: 'img', attribute: 'data-none' },
    ]
    const { attributes } = await data('/pages/4', [{ type: 'attributes', selectors }])
    expect(attributes).toEqual([
      { selector: 'a', attribute: 'href', values: ['/pages/5'] },
      { selector: 'img', attribute: 'data-none', values: [] },
    ])
  })

  it('requires options and valid selectors', async () => {
    const withoutOptions = await scrape({ url: `${site.url}/pages/4`, formats: ['attributes'] })
    expect(withoutOptions.body.error).toContain('needs options')
    const formats = [{ type: 'attributes', selectors: [{ selector: 'a[', attribute: 'href' }] }]
    expect((await scrape({ url: `${site.url}/pages/4`, formats })).status).toBe(400)
  })
})

describe('rawBase64', () => {
  it('returns the body as received, of any kind of file', async () => {
    const { rawBase64 } = await data('/files/pixel.png', ['rawBase64'])
    expect(Buffer.from(rawBase64, 'base64').subarray(1, 4).toString()).toBe('PNG')
  })

  it('cannot be combined with other formats', async () => {
    const { status } = await scrape({ url: `${site.url}/pages/1`, formats: ['rawBase64', 'markdown'] })
    expect(status).toBe(400)
  })
})

describe('product', () => {
  it('returns the product that the page states', async () => {
    const { product } = await data('/shop', ['product'])
    expect(product).toMatchObject({ title: 'Storm lamp', brand: 'Lighthouse', variants: [{ sku: 'L-1' }] })
    expect(product.variants[0].price).toMatchObject({ amount: 49.5, currency: 'EUR' })
    expect(product.variants[0].availability.inStock).toBe(true)
  })

  it.each(['next', 'nuxt', 'window', 'range'])(
    'reads product data from scripts of the page: %s',
    async (kind) => {
      const { product } = await data(`/brand/product/${kind}`, ['product'])
      expect(product).toMatchObject({
        title: 'Skiff',
        variants: [{ sku: 'B-1', price: { amount: 1290, currency: 'EUR' } }],
      })
    },
  )

  it('is omitted with a warning if the page has no product', async () => {
    const document = await data('/pages/1', ['product', 'markdown'])
    expect(document.product).toBeUndefined()
    expect(document.warning).toMatch(/product/)
    expect(document.markdown).toContain('page 1')
  })
})

describe('removed formats', () => {
  const removed = {
    chunks:
      'The format chunks was removed. Instead, split markdown with the text splitter of your RAG framework.',
    menu: 'The format menu was removed. Instead, request json with a schema of the items and their prices.',
  }
  const names = Object.keys(removed)
  const warning = Object.values(removed).join(' ')
  const withOptions = names.map((type) => ({ type, size: 128 }))

  it('names removed formats and alternatives in the warning, without effect on other formats and on the price', async () => {
    for (const formats of [names, withOptions]) {
      const document = await data('/pages/2', ['markdown', ...formats])
      expect(Object.keys(document).sort()).toEqual(['markdown', 'metadata', 'warning'])
      expect([document.warning, document.metadata.creditsUsed]).toEqual([warning, 1])
    }
  })

  it('are accepted without other formats', async () => {
    const document = await data('/pages/2', withOptions)
    expect(Object.keys(document).sort()).toEqual(['metadata', 'warning'])
    expect([document.warning, document.metadata.creditsUsed]).toEqual([warning, 1])
  })

  it('are named in the warning of a parsed file and of a crawled page', async () => {
    const { body } = await post('<h1>Fog</h1>', { name: 'fog.html', options: { formats: names } })
    expect(body.data).toMatchObject({ warning, metadata: { creditsUsed: 1 } })
    const scrapeOptions = { formats: withOptions }
    const { id } = await start({ url: `${site.url}/pages/3`, limit: 1, scrapeOptions })
    expect((await finished(id)).data).toMatchObject([{ warning, metadata: { creditsUsed: 1 } }])
  })
})

describe('branding', () => {
  it('reads colours, fonts and the button of a page', async () => {
    const { branding } = await data('/shop', ['branding'])
    expect(branding.colorScheme).toBe('light')
    expect(branding.colors.background.toUpperCase()).toBe('#FFFFFF')
    expect(branding.components.buttonPrimary.background.toUpperCase()).toBe('#0F766E')
    expect(branding.typography.fontFamilies.primary).toBe('Georgia')
  })

  it('reads the second declared colour, icons, spacing and personality', async () => {
    const { branding } = await data('/brand', ['branding'])
    expect(branding.colors).toMatchObject({ primary: '#7C3AED', secondary: '#0369A1', success: '#16A34A' })
    expect(branding.colors.accent).not.toBe('#16A34A')
    expect(branding.icons).toEqual({ style: 'outline', primaryColor: '#7C3AED' })
    expect(branding.spacing).toMatchObject({
      padding: { buttonVertical: 12, buttonHorizontal: 28, card: 24, sectionVertical: 64 },
      margins: { heading: 16, paragraph: 12 },
    })
    expect(branding.personality).toEqual({ tone: 'bold', energy: 'medium' })
  })
})

describe('changeTracking', () => {
  const track = async (name: string, options: object = {}): Promise<Json> => {
    const formats = ['markdown', { type: 'changeTracking', modes: ['git-diff'], ...options }]
    return (await data(`/story/${name}`, formats)).changeTracking
  }

  it('returns new, same or changed, with a diff, and removed', async () => {
    story = 'The first version of the story.'
    expect(await track('one')).toEqual({ previousScrapeAt: null, changeStatus: 'new', visibility: 'visible' })
    expect(await track('one')).toMatchObject({ changeStatus: 'same', previousScrapeAt: expect.any(String) })
    story = 'The second version of the story.'
    const changed = await track('one')
    expect(changed.changeStatus).toBe('changed')
    expect(changed.diff).toContain('-The first version of the story.')
    expect(changed.diff).toContain('+The second version of the story.')
    expect(changed.diffJson.files[0].chunks[0].changes.map((change: Json) => change.type)).toContain('add')
    story = ''
    expect((await track('one')).changeStatus).toBe('removed')
  })

  it('keeps a history per tag', async () => {
    story = 'A tagged story.'
    await track('two', { tag: 'hourly' })
    expect((await track('two', { tag: 'daily' })).changeStatus).toBe('new')
    expect((await track('two', { tag: 'hourly' })).changeStatus).toBe('same')
  })

  it('requires markdown', async () => {
    const withoutMarkdown = await scrape({ url: `${site.url}/pages/1`, formats: ['changeTracking'] })
    expect(withoutMarkdown).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('markdown') },
    })
  })
})

describe.skipIf(!existsSync('/usr/bin/ffmpeg'))('audio', () => {
  it('of a file can be combined with formats that have no result for it', async () => {
    const { audio, markdown, warning } = await data('/tone.wav', [
      ...['audio', 'markdown', 'summary'],
      ...[
        { type: 'question', question: 'What is said?' },
        { type: 'highlights', query: 'tone' },
      ],
    ])
    expect(audio).toMatch(/^http/)
    expect(markdown).toBe('')
    expect(warning).toContain('summary')
  })

  it('returns the audio of a page as MP3', async () => {
    const { audio, metadata } = await data('/podcast', ['audio'])
    const response = await fetch(audio)
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    const start = Buffer.from(await response.arrayBuffer()).subarray(0, 3)
    expect(
      start.toString('latin1') === 'ID3' || (start[0] === 0xff && ((start[1] ?? 0) & 0xe0) === 0xe0),
    ).toBe(true)
    expect(metadata.creditsUsed).toBe(5)
  })

  it('can be the scraped URL itself', async () => {
    expect((await data('/tone.wav', ['audio'])).audio).toMatch(/^http/)
  })

  it('is omitted with a warning if the page has no audio', async () => {
    const document = await data('/pages/1', ['audio'])
    expect(document.audio).toBeUndefined()
    expect(document.warning).toMatch(/audio/)
  })
})

describe('advertisements and cookie dialogs', () => {
  it('blocks ads unless blockAds is false', async () => {
    const hitsBefore = site.hits('/pagead/js/adsbygoogle.js')
    await data('/ads/page', ['markdown'], { waitFor: 1, maxAge: 0 })
    expect(site.hits('/pagead/js/adsbygoogle.js')).toBe(hitsBefore)
    await data('/ads/page', ['markdown'], { waitFor: 1, maxAge: 0, blockAds: false })
    expect(site.hits('/pagead/js/adsbygoogle.js')).toBe(hitsBefore + 1)
    const withoutDialog = await data('/consent/unknown', ['markdown'], {
      waitFor: 1,
      maxAge: 0,
      onlyMainContent: false,
    })
    const withDialog = await data('/consent/unknown', ['markdown'], {
      waitFor: 1,
      maxAge: 0,
      onlyMainContent: false,
      blockAds: false,
    })
    expect(withoutDialog.markdown.length).toBeLessThan(withDialog.markdown.length)
  })

  it('do not prevent the scrape of a page with a consent wall', async () => {
    expect((await data('/consent/wall', ['markdown'], { waitFor: 1, maxAge: 0 })).markdown).toContain(
      'lighthouse',
    )
  })
})

const shop = `<!doctype html><html lang="en"><head><title>Storm lamp</title><style>
body { font-family: Georgia, serif; color: #1f2937; background: #ffffff; margin: 0 } header { padding: 16px }
button { background: #0f766e; color: #ffffff; border-radius: 8px; padding: 12px 24px; border: 0; font-size: 16px }
a { color: #1d4ed8 }</style>
<script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Storm lamp',
  brand: { '@type': 'Brand', name: 'Lighthouse' },
  sku: 'L-1',
  offers: {
    '@type': 'Offer',
    price: '49.50',
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
  },
})}</script></head><body><header><a href="/"><img class="logo" alt="Lighthouse logo" src="/files/pixel.png" width="120" height="40"></a></header>
<main><h1>Storm lamp</h1><p>${'A lamp that burns in any weather, made of brass and glass. '.repeat(6)}</p><button>Buy now</button> <a href="/more">More about it</a></main></body></html>`

/** Returns one second of a tone as an uncompressed WAV file. */
function tone(): Buffer {
  const samples = Buffer.alloc(8000 * 2)
  for (let index = 0; index < 8000; index += 1)
    samples.writeInt16LE(Math.round(9000 * Math.sin(index / 3)), index * 2)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(16_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}
