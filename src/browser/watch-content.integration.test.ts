import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findUndeclaredNames } from '../../test/names-from-outside.ts'
import { findChromium } from '../../test/servers/proxy-browser.ts'
import { inspectContent, watchContent } from './watch-content.ts'

it('inspectContent uses no names from outside its source', () => {
  expect(findUndeclaredNames(inspectContent.source)).toEqual([])
})

describe.skipIf(findChromium() === undefined)('watchContent', () => {
  let browser: Browser
  beforeAll(async () => {
    const chromiumSandbox = process.getuid?.() !== 0
    browser = await chromium.launch({ executablePath: findChromium() ?? '', chromiumSandbox })
  })
  afterAll(() => browser.close())

  const noWait = { stillMs: 0, calmMs: 0, maxMs: 0, minMs: 0 }

  async function open(body: string) {
    const page = await browser.newPage()
    await page.route('**/*', (route) =>
      route.request().url() === 'https://fernway.example/'
        ? route.fulfill({ contentType: 'text/html', body: `<!doctype html><body>${body}` })
        : route.fulfill({ contentType: 'text/html', body: '<p>framed</p>' }),
    )
    await page.goto('https://fernway.example/')
    return { page, look: (watching = noWait) => watchContent(page, watching) }
  }

  async function readContent(body: string) {
    const { page, look } = await open(body)
    const { text, controls, hasSkeletons, isLoading } = await look().finally(() => page.close())
    return { text, controls, hasSkeletons, isLoading }
  }

  const stableFacts = { hasSkeletons: false, isLoading: false }

  it('counts text without menus, code and hidden elements', async () => {
    const ignored = '<nav>menu</nav><style>p {}</style><p style="display: none">gone</p>'
    expect(
      await readContent(`${ignored}<p>read <b>this</b></p><input><input type="hidden"><button>ok</button>`),
    ).toEqual({ ...stableFacts, text: 10, controls: 2 })
  })

  it('counts text in shadow roots and frames', async () => {
    const card = '<div><template shadowrootmode="open"><p>inside</p></template></div>'
    expect(await readContent(`${card}<iframe src="/frame"></iframe>`)).toEqual({
      ...stableFacts,
      text: 12,
      controls: 0,
    })
  })

  it('counts at most 400 characters, and reports 400 for a page with too many nodes', async () => {
    const { text } = await readContent('<p>twenty letters text.</p>'.repeat(100))
    expect(text).toBe(400)
    expect((await readContent('<i></i>'.repeat(30_001))).text).toBe(400)
  })

  it('reports skeletons and spinners, and does not count their text', async () => {
    expect(await readContent('<div class="card-skeleton">xxx</div>')).toEqual({
      ...stableFacts,
      text: 0,
      controls: 0,
      hasSkeletons: true,
    })
    expect(await readContent('<div class="spinner">xxx</div>')).toEqual({
      ...stableFacts,
      text: 0,
      controls: 0,
      isLoading: true,
    })
    expect(await readContent('<p>Loading…</p>')).toEqual({
      ...stableFacts,
      text: 0,
      controls: 0,
      isLoading: true,
    })
    expect(await readContent('<p>Downloads are free</p>')).toEqual({ ...stableFacts, text: 18, controls: 0 })
  })

  it('reports a loading notice at the end of a long page', async () => {
    const { text, isLoading } = await readContent(`<p>${'x'.repeat(400)}</p><p>…</p><p>Please wait</p>`)
    expect({ text, isLoading }).toEqual({ text: 400, isLoading: true })
  })

  it('returns immediately for a page without scripts', async () => {
    const { page, look } = await open('<p>text</p><script type="application/json">{}</script>')
    const began = performance.now()
    const facts = await look({ stillMs: 20_000, calmMs: 20_000, maxMs: 20_000, minMs: 0 })
    expect(facts).toMatchObject({ canChange: false, isLoaded: true, hasTimers: false })
    expect(performance.now() - began).toBeLessThan(15_000)
    await page.close()
  })

  it('waits while the content changes', async () => {
    const { page, look } = await open(`<ul></ul><script>
      let left = 20
      const add = () => {
        document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>more</li>')
        if ((left -= 1) > 0) setTimeout(add, 20)
      }
      add()
    </script>`)
    const facts = await look({ stillMs: 1000, calmMs: 1000, maxMs: 20_000, minMs: 0 })
    expect(facts).toMatchObject({ text: 80, canChange: true, hasTimers: true })
    expect(facts.stillMs).toBeGreaterThanOrEqual(999)
    await page.close()
  })

  it('reports a stable page if only a clock changes', async () => {
    const { page, look } = await open(`<p>00</p><script>
      setInterval(() => { document.querySelector('p').textContent = String(Date.now() % 90 + 10) }, 10)
    </script>`)
    await look()
    await page.waitForTimeout(500)
    const facts = await look({ stillMs: 300, calmMs: 300, maxMs: 20_000, minMs: 0 })
    expect(facts.stillMs).toBeGreaterThanOrEqual(299)
    await page.close()
  })

  it('reads the content again after a change', async () => {
    const { page, look } = await open('<p>one</p><script>1</script>')
    expect(await look()).toMatchObject({ text: 3, hasTimers: false })
    expect(await look()).toMatchObject({ text: 3, hasTimers: false })
    await page.evaluate(() => document.body.append('two'))
    expect(await look()).toMatchObject({ text: 6, hasTimers: false })
    await page.close()
  })

  it('is not affected by page globals or element ids', async () => {
    const names = ['readShown', 'isElement', 'watch', 'code', 'startWatch']
    const hostile = '<script>window.watch = { shown: { text: 9 } }; NodeFilter = Set = null</script>'
    const { text } = await readContent(`${names.map((id) => `<p id="${id}">x</p>`).join('')}${hostile}`)
    expect(text).toBe(5)
  })
})
