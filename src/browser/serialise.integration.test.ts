import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namesFromOutside } from '../../test/names-from-outside.ts'
import { findChromium } from '../../test/servers/proxy-browser.ts'
import { iframeMarkerHtml } from '../content/iframe-marker.ts'
import { blockedMark, flatHtml, readCrossOriginFrames, type Serialising, serialise } from './serialise.ts'

it('is read by a script that needs nothing from outside', () => {
  expect(namesFromOutside(flatHtml.source)).toEqual([])
})

describe.skipIf(findChromium() === undefined)('the text of an open page', () => {
  let browser: Browser
  beforeAll(async () => {
    const chromiumSandbox = process.getuid?.() !== 0
    browser = await chromium.launch({ executablePath: findChromium() ?? '', chromiumSandbox })
  })
  afterAll(() => browser.close())

  const addresses: Record<string, string> = {
    'https://fernway.example/frame': '<base href="/deep/"><p><a href="a">near</a></p>',
    'https://other.example/frame': '<p><a href="b">far</a> & wide</p>',
  }

  async function textOf(body: string, options: Serialising & { readsForeign?: boolean } = {}) {
    const page = await browser.newPage()
    await page.route('**/*', (route) => {
      const url = route.request().url()
      const html = url === 'https://fernway.example/' ? `<!doctype html><body>${body}` : addresses[url]
      return html ? route.fulfill({ contentType: 'text/html', body: html }) : route.abort()
    })
    await page.goto('https://fernway.example/')
    if (options.readsForeign) await readCrossOriginFrames(page, 10_000)
    const html = await serialise(page, options).finally(() => page.close())
    return html.replace(/^<!DOCTYPE html><html><head><\/head><body>(.*)<\/body><\/html>$/s, '$1')
  }

  it('is what the document says', async () => {
    const body =
      '<p title="a &amp; &quot;b&quot;">1 &lt; 2<br>&amp;</p><script>1 < 2</script><template><i>t</i></template>'
    expect(await textOf(`${body}<!-- no -->`)).toBe(body)
  })

  it('holds shadow roots, with their slots filled', async () => {
    const card = '<template shadowrootmode="open"><b><slot></slot></b><slot name="x">none</slot></template>'
    expect(await textOf(`<div>${card}shown</div>`)).toBe(
      '<div><b><slot>shown</slot></b><slot name="x">none</slot></div>',
    )
  })

  it('holds frames behind their elements, with addresses that are whole', async () => {
    expect(await textOf('<iframe src="/frame"></iframe>')).toBe(
      `<iframe src="/frame"></iframe><div${iframeMarkerHtml}><p><a href="https://fernway.example/deep/a">near</a></p></div>`,
    )
  })

  it('holds frames of others where those were read', async () => {
    const frame = '<iframe src="https://other.example/frame"></iframe>'
    expect(await textOf(frame)).toBe(frame)
    expect(await textOf(frame, { readsForeign: true })).toBe(
      `${frame}<div${iframeMarkerHtml}><p><a href="https://other.example/b">far</a> &amp; wide</p></div>`,
    )
  })

  it('leaves out what was blocked', async () => {
    const body = `<p hidden="${blockedMark}">ad</p><img src="/ad.png"><img src="/kept.png"><p hidden="">kept</p>`
    expect(await textOf(body, { blockedUrls: ['https://fernway.example/ad.png'] })).toBe(
      '<img src="/kept.png"><p hidden="">kept</p>',
    )
  })

  it('is refused where it is too long', async () => {
    await expect(textOf(`<p>${'x'.repeat(2000)}</p>`, { most: 2000 })).rejects.toThrow('2000 characters')
  })

  it('is the same whatever scripts and elements of the page are called', async () => {
    const frame = '<iframe src="https://other.example/frame"></iframe>'
    const body = `<p id="write">one</p><p id="framedTexts">two</p>${frame}`
    const hostile = '<script>window.add = Array.prototype.join = () => "gone"</script>'
    expect(await textOf(body + hostile)).toBe(body + hostile)
  })
})
