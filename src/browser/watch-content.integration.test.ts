import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namesFromOutside } from '../../test/names-from-outside.ts'
import { findChromium } from '../../test/servers/proxy-browser.ts'
import { inspectContent, watchContent } from './watch-content.ts'

it('is watched by a script that needs nothing from outside', () => {
  expect(namesFromOutside(inspectContent.source)).toEqual([])
})

describe.skipIf(findChromium() === undefined)('the content of an open page', () => {
  let browser: Browser
  beforeAll(async () => {
    const chromiumSandbox = process.getuid?.() !== 0
    browser = await chromium.launch({ executablePath: findChromium() ?? '', chromiumSandbox })
  })
  afterAll(() => browser.close())

  const atOnce = { stillMs: 0, calmMs: 0, mostMs: 0, minMs: 0 }

  async function open(body: string) {
    const page = await browser.newPage()
    await page.route('**/*', (route) =>
      route.request().url() === 'https://fernway.example/'
        ? route.fulfill({ contentType: 'text/html', body: `<!doctype html><body>${body}` })
        : route.fulfill({ contentType: 'text/html', body: '<p>framed</p>' }),
    )
    await page.goto('https://fernway.example/')
    return { page, look: (watching = atOnce) => watchContent(page, watching) }
  }

  async function shown(body: string) {
    const { page, look } = await open(body)
    const { text, things, hasSkeletons, isLoading } = await look().finally(() => page.close())
    return { text, things, hasSkeletons, isLoading }
  }

  const still = { hasSkeletons: false, isLoading: false }

  it('is counted without menus, code and what is hidden', async () => {
    const left = '<nav>menu</nav><style>p {}</style><p style="display: none">gone</p>'
    expect(
      await shown(`${left}<p>read <b>this</b></p><input><input type="hidden"><button>ok</button>`),
    ).toEqual({ ...still, text: 10, things: 2 })
  })

  it('is counted in components and frames', async () => {
    const card = '<div><template shadowrootmode="open"><p>inside</p></template></div>'
    expect(await shown(`${card}<iframe src="/frame"></iframe>`)).toEqual({ ...still, text: 12, things: 0 })
  })

  it('is counted up to a bound', async () => {
    const { text } = await shown('<p>twenty letters text.</p>'.repeat(100))
    expect(text).toBe(400)
    expect((await shown('<i></i>'.repeat(30_001))).text).toBe(400)
  })

  it('may have placeholders, which are not counted', async () => {
    expect(await shown('<div class="card-skeleton">xxx</div>')).toEqual({
      ...still,
      text: 0,
      things: 0,
      hasSkeletons: true,
    })
    expect(await shown('<div class="spinner">xxx</div>')).toEqual({
      ...still,
      text: 0,
      things: 0,
      isLoading: true,
    })
    expect(await shown('<p>Loading…</p>')).toEqual({ ...still, text: 0, things: 0, isLoading: true })
    expect(await shown('<p>Downloads are free</p>')).toEqual({ ...still, text: 18, things: 0 })
  })

  it('may say at its end that it is loading', async () => {
    const { text, isLoading } = await shown(`<p>${'x'.repeat(400)}</p><p>…</p><p>Please wait</p>`)
    expect({ text, isLoading }).toEqual({ text: 400, isLoading: true })
  })

  it('cannot change without scripts, and is not waited for', async () => {
    const { page, look } = await open('<p>text</p><script type="application/json">{}</script>')
    const began = performance.now()
    const facts = await look({ stillMs: 20_000, calmMs: 20_000, mostMs: 20_000, minMs: 0 })
    expect(facts).toMatchObject({ canChange: false, isLoaded: true, hasTimers: false })
    expect(performance.now() - began).toBeLessThan(15_000)
    await page.close()
  })

  it('is waited for while it changes', async () => {
    const { page, look } = await open(`<ul></ul><script>
      let left = 20
      const add = () => {
        document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>more</li>')
        if ((left -= 1) > 0) setTimeout(add, 20)
      }
      add()
    </script>`)
    const facts = await look({ stillMs: 1000, calmMs: 1000, mostMs: 20_000, minMs: 0 })
    expect(facts).toMatchObject({ text: 80, canChange: true, hasTimers: true })
    expect(facts.stillMs).toBeGreaterThanOrEqual(999)
    await page.close()
  })

  it('stands still where only a clock goes on', async () => {
    const { page, look } = await open(`<p>00</p><script>
      setInterval(() => { document.querySelector('p').textContent = String(Date.now() % 90 + 10) }, 10)
    </script>`)
    await look()
    await page.waitForTimeout(500)
    const facts = await look({ stillMs: 300, calmMs: 300, mostMs: 20_000, minMs: 0 })
    expect(facts.stillMs).toBeGreaterThanOrEqual(299)
    await page.close()
  })

  it('is read again after it has changed, not before', async () => {
    const { page, look } = await open('<p>one</p><script>1</script>')
    expect(await look()).toMatchObject({ text: 3, hasTimers: false })
    expect(await look()).toMatchObject({ text: 3, hasTimers: false })
    await page.evaluate(() => document.body.append('two'))
    expect(await look()).toMatchObject({ text: 6, hasTimers: false })
    await page.close()
  })

  it('is read whatever elements and scripts of the page are called', async () => {
    const names = ['readShown', 'isElement', 'watch', 'code', 'startWatch']
    const hostile = '<script>window.watch = { shown: { text: 9 } }; NodeFilter = Set = null</script>'
    const { text } = await shown(`${names.map((id) => `<p id="${id}">x</p>`).join('')}${hostile}`)
    expect(text).toBe(5)
  })
})
