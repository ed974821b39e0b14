import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nameOfRef, outlineLimit, outlinePart, readView } from './look.ts'

const path =
  process.env.CHROMIUM_PATH ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium'].find((found) =>
    existsSync(found),
  )

describe.skipIf(path === undefined)('readView', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: path ?? '', chromiumSandbox: process.getuid?.() !== 0 })
    page = await browser.newPage()
  })
  afterAll(() => browser.close())

  it('shows the values of fields, except of password fields', async () => {
    await page.setContent(`<label>User <input value="ada"></label>
      <label>Password <input type="password" value="tulip: &quot;field&quot;"></label>
      <label>PIN <input type="password" value="a"></label>
      <label>Code <input type="password" placeholder="four words" value="lake and hill"></label>
      <iframe srcdoc="<label>Again <input type='password' value='meadow'></label>"></iframe>`)
    const { outline } = await readView(page, 10_000)
    expect(outline).toMatch(/textbox "User" \[ref=e\d+\]: ada/)
    expect(outline).toMatch(/textbox "Password" .*\[hidden\]/)
    expect(outline).toMatch(/textbox "PIN" \[ref=e\d+\]: \[hidden\]/)
    expect(outline).toMatch(/textbox "Again" .*\[hidden\]/)
    expect(outline).not.toMatch(/tulip|meadow|lake/)
  })

  it('names an element by its role and label', async () => {
    await page.setContent('<a href="/prices">Prices</a>')
    const { outline } = await readView(page, 10_000)
    const [, ref = ''] = /link "Prices" \[ref=(\w+)\]/.exec(outline) ?? []
    expect(nameOfRef(outline, ref)).toBe(`link "Prices" (${ref})`)
  })
})

describe('outlinePart', () => {
  it('returns one part of a long outline with a note', () => {
    const outline = `${'a'.repeat(outlineLimit)}b`
    expect(outlinePart(outline, 1)).toContain('part 1 of 2')
    expect(outlinePart(outline, 2)).toMatch(/^b\n/)
    expect(outlinePart('short', 9)).toBe('short')
  })
})
