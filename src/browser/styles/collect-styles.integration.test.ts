import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findUndeclaredNames } from '../../../test/names-from-outside.ts'
import { extractBrand } from '../../content/brand/brand.ts'
import { styleSnapshot } from '../../content/style-snapshot.ts'
import { collectStyles, readBrandAssets, readStyles } from './collect-styles.ts'

const path =
  process.env.CHROMIUM_PATH ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium'].find((found) =>
    existsSync(found),
  )

const light = { ground: '#ffffff', text: '#1f2937', muted: '#6b7280', brand: '#0f766e', onBrand: '#ffffff' }
const dark = {
  ground: '#0b1020',
  text: '#e5e7eb',
  muted: '#9ca3af',
  brand: 'oklch(0.8 0.15 180)',
  onBrand: '#000',
}

const shop = (theme: typeof light, more = '') => `<!doctype html><html lang="en"><head><title>Fernway</title>
<meta name="theme-color" content="${theme.brand}"><meta property="og:site_name" content="Fernway">
<meta property="og:image" content="/share.png"><link rel="icon" href="/icon.png" sizes="32x32">
<script type="application/ld+json">{"@type": "Organization", "name": "Fernway Ltd", "logo": "/declared.png"}</script>
<style>
  :root { --brand: ${theme.brand}; --gap: 8px; --accent: 38 92% 50%; }
  body { margin: 0; font: 16px/1.6 __Inter_a1b2c3, __Inter_Fallback_a1b2c3, sans-serif; color: ${theme.text}; background: ${theme.ground} }
  h1 { font: 700 48px/1.1 Fraunces, serif }
  header { display: flex; padding: 16px 32px; gap: 24px }
  section { padding: 32px; max-width: 1120px }
  .muted { color: ${theme.muted} } section p a { color: var(--brand) }
  .cta { background: var(--brand); color: ${theme.onBrand}; padding: 12px 24px; border-radius: 10px; text-decoration: none }
  .ghost { color: var(--brand); border: 1px solid var(--brand); padding: 12px 24px; border-radius: 10px; text-decoration: none }
  #cookies { position: fixed; bottom: 0; background: #222; padding: 40px }
  #cookies button { background: #ff00aa; color: #fff; padding: 20px 60px }
  .mark { fill: currentColor; color: var(--brand) }
</style></head><body>
<header><a href="/" aria-label="Fernway"><svg width="96" height="32" viewBox="0 0 96 32"><path class="mark" d="M0 0h96v32H0z"/></svg></a>
  <nav><a href="/prices">Prices</a> <a href="/guide">Guide</a></nav></header>
<main><section><h1>Plan the season</h1><p class="muted">From first seed to last delivery, on one page for all.</p>
  <a class="cta" href="/start">Get started</a> <a class="ghost" href="/tour">Watch the tour</a></section>
<section><p>Orders turn into a list by the morning. Read <a href="/how">how it works</a> or <a href="/who">who uses it</a>.</p>
  <p>Everything your team needs, whoever took the order and whenever it came.</p>
  <ol><li value="3">One</li></ol><input type="email"></section></main>
<div id="cookies" class="cookie-consent"><button>Start with all of them</button></div>${more}</body></html>`

it('the scripts refer to no outer names', () => {
  expect(findUndeclaredNames(readStyles.source)).toEqual([])
  expect(findUndeclaredNames(readBrandAssets.source)).toEqual([])
})

describe.skipIf(path === undefined)('collectStyles', () => {
  let browser: Browser
  beforeAll(async () => {
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    browser = await chromium.launch({ executablePath: path ?? '', args })
  })
  afterAll(() => browser.close())

  async function collect(html: string) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.route('**/*', (route) =>
      route.request().isNavigationRequest()
        ? route.fulfill({ contentType: 'text/html', body: html })
        : route.abort(),
    )
    await page.goto('https://fernway.example/')
    const styles = await collectStyles(page)
    await page.close()
    return styles
  }

  it('returns a valid snapshot', async () => {
    const styles = await collect(shop(light))
    expect(styleSnapshot.parse(styles)).toEqual(styles)
  })

  it('contains the brand of a light page', async () => {
    const brand = extractBrand(await collect(shop(light)))
    expect(brand).toMatchObject({
      colorScheme: 'light',
      brandName: 'Fernway',
      colors: {
        ...{ primary: '#0F766E', background: '#FFFFFF', textPrimary: '#1F2937', textSecondary: '#6B7280' },
        link: '#0F766E',
      },
      fonts: [{ family: 'Inter' }, { family: 'Fraunces' }],
      typography: {
        fontFamilies: { primary: 'Inter', heading: 'Fraunces' },
        fontSizes: { h1: '48px', body: '16px' },
        lineHeights: { heading: '1.1', body: '1.6' },
      },
      spacing: { baseUnit: 8, borderRadius: '10px' },
      components: {
        buttonPrimary: { background: '#0F766E', textColor: '#FFFFFF', borderRadius: '10px' },
        buttonSecondary: { background: '#FFFFFF', textColor: '#0F766E', borderColor: '#0F766E' },
      },
      layout: { grid: { maxWidth: '1120px' } },
      images: { favicon: 'https://fernway.example/icon.png', ogImage: 'https://fernway.example/share.png' },
    })
  })

  it('contains the brand of a dark page', async () => {
    expect(extractBrand(await collect(shop(dark)))).toMatchObject({
      colorScheme: 'dark',
      colors: { primary: '#00DCC1', background: '#0B1020', textPrimary: '#E5E7EB', textSecondary: '#9CA3AF' },
      components: { buttonPrimary: { background: '#00DCC1', textColor: '#000000' } },
    })
  })

  it('returns an SVG logo as a self-contained image in its colour on the page', async () => {
    const { logo } = extractBrand(await collect(shop(light)))
    const [type, encoded = ''] = (logo ?? '').split(',')
    expect(type).toBe('data:image/svg+xml;base64')
    expect(atob(encoded)).toContain('fill="rgb(15, 118, 110)"')
  })

  it('returns the declared logo if the page displays none', async () => {
    const html = shop(light).replace(/<svg.*<\/svg>/, 'Fernway')
    expect(extractBrand(await collect(html)).logo).toBe('https://fernway.example/declared.png')
  })

  it('returns the colours of variables, including those stored as numbers', async () => {
    const { variables } = await collect(shop(light))
    expect(variables).toEqual([
      { name: '--accent', value: '#f59f0a' },
      { name: '--brand', value: '#0f766e' },
    ])
  })

  it('recognises icons that are glyphs of a font', async () => {
    const icons = `<style>.icon::before { content: 'x'; font: 900 20px 'Font Awesome 6 Free'; color: #b91c1c }</style>
      ${'<i class="icon"></i> '.repeat(4)}`
    const styles = await collect(shop(light, icons))
    const found = styles.elements.filter(({ glyph }) => glyph)
    expect(found).toHaveLength(4)
    expect(found[0]).toMatchObject({ kind: 'icon', glyph: { weight: 900 } })
    expect(extractBrand(styles).icons?.style).toBe('filled')
  })

  it('is limited to 1500 elements on a large page', async () => {
    const styles = await collect(shop(light, '<div><p>More <a href="/x">text</a></p></div>'.repeat(20_000)))
    expect(styles.elements.length).toBeLessThanOrEqual(1500)
    expect(extractBrand(styles).components?.buttonPrimary?.background).toBe('#0F766E')
  })

  it('is not affected by replaced page globals', async () => {
    const hostile = `window.getComputedStyle = null; JSON.stringify = Array.prototype.join = () => 'x'.repeat(1e7)`
    const styles = await collect(shop(light, `<script>${hostile}</script>`))
    expect(extractBrand(styles).components?.buttonPrimary?.background).toBe('#0F766E')
  })
})
