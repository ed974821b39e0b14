import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findUndeclaredNames } from '../../test/names-from-outside.ts'
import { findChromium } from '../../test/servers/proxy-browser.ts'
import { iframeMarkerHtml } from '../content/iframe-marker.ts'
import { blockedMark, flatHtml, readCrossOriginFrames, serialise } from './serialise.ts'

it('flatHtml refers to no outer names', () => {
  expect(findUndeclaredNames(flatHtml.source)).toEqual([])
})

describe.skipIf(findChromium() === undefined)('serialise', () => {
  let browser: Browser
  beforeAll(async () => {
    const chromiumSandbox = process.getuid?.() !== 0
    browser = await chromium.launch({ executablePath: findChromium() ?? '', chromiumSandbox })
  })
  afterAll(() => browser.close())

  const pages: Record<string, string> = {
    'https://fernway.example/frame': '<base href="/deep/"><p><a href="a">near</a></p>',
    'https://other.example/frame': '<p><a href="b">far</a> & wide</p>',
  }

  async function serialiseBody(
    body: string,
    options: Parameters<typeof serialise>[1] & { readsForeign?: boolean } = {},
  ) {
    const page = await browser.newPage()
    await page.route('**/*', (route) => {
      const url = route.request().url()
      const html = url === 'https://fernway.example/' ? `<!doctype html><body>${body}` : pages[url]
      return html ? route.fulfill({ contentType: 'text/html', body: html }) : route.abort()
    })
    await page.goto('https://fernway.example/')
    if (options.readsForeign) await readCrossOriginFrames(page, 10_000)
    const html = await serialise(page, options).finally(() => page.close())
    return html.replace(/^<!DOCTYPE html><html><head><\/head><body>(.*)<\/body><\/html>$/s, '$1')
  }

  it('returns the markup of the document without comments', async () => {
    const body =
      '<p title="a &amp; &quot;b&quot;">1 &lt; 2<br>&amp;</p><script>1 < 2</script><template><i>t</i></template>'
    expect(await serialiseBody(`${body}<!-- no -->`)).toBe(body)
  })

  it('inlines shadow roots with filled slots', async () => {
    const card = '<template shadowrootmode="open"><b><slot></slot></b><slot name="x">none</slot></template>'
    expect(await serialiseBody(`<div>${card}shown</div>`)).toBe(
      '<div><b><slot>shown</slot></b><slot name="x">none</slot></div>',
    )
  })

  it('adds the content of frames after their elements, with absolute URLs', async () => {
    expect(await serialiseBody('<iframe src="/frame"></iframe>')).toBe(
      `<iframe src="/frame"></iframe><div${iframeMarkerHtml}><p><a href="https://fernway.example/deep/a">near</a></p></div>`,
    )
  })

  it('adds cross-origin frames if they were read', async () => {
    const frame = '<iframe src="https://other.example/frame"></iframe>'
    expect(await serialiseBody(frame)).toBe(frame)
    expect(await serialiseBody(frame, { readsForeign: true })).toBe(
      `${frame}<div${iframeMarkerHtml}><p><a href="https://other.example/b">far</a> &amp; wide</p></div>`,
    )
  })

  it('omits blocked elements and images', async () => {
    const body = `<p hidden="${blockedMark}">ad</p><img src="/ad.png"><img src="/kept.png"><p hidden="">kept</p>`
    expect(await serialiseBody(body, { blockedUrls: ['https://fernway.example/ad.png'] })).toBe(
      '<img src="/kept.png"><p hidden="">kept</p>',
    )
  })

  it('throws for a document above the limit', async () => {
    await expect(serialiseBody(`<p>${'x'.repeat(2000)}</p>`, { max: 2000 })).rejects.toThrow(
      '2000 characters',
    )
  })

  it('is not affected by page globals or element ids', async () => {
    const frame = '<iframe src="https://other.example/frame"></iframe>'
    const body = `<p id="write">one</p><p id="framedTexts">two</p>${frame}`
    const hostile = '<script>window.add = Array.prototype.join = () => "gone"</script>'
    expect(await serialiseBody(body + hostile)).toBe(body + hostile)
  })
})
