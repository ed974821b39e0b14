import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { assertConsoleBuilt } from './console.ts'
import { chromiumPath } from './servers/browser.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * User agent of console visitors. Sites use it to distinguish them from other browsers, such as those of the service.
 */
export const visitorAgent = 'Reader of the console'

export interface ConsoleBrowser {
  /** Opens a page with separate storage. With a key, the visitor is already signed in. */
  visit(options?: Visit): Promise<Page>
  stop(): Promise<void>
}

export interface Visit {
  key?: string
  theme?: 'light' | 'dark'
  width?: number
  /** Called for every error in the page, and for every violation of the content security policy. */
  onTrouble?: (text: string) => void
}

export async function startConsoleBrowser(url: string): Promise<ConsoleBrowser> {
  assertConsoleBuilt()
  const browser: Browser = await chromium.launch({ executablePath: chromiumPath ?? '' })
  return {
    async visit({ key, theme = 'light', width = 1280, onTrouble } = {}) {
      const context: BrowserContext = await browser.newContext({
        baseURL: url,
        colorScheme: theme,
        userAgent: visitorAgent,
        viewport: { width, height: 900 },
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      if (key !== undefined) {
        // Frames get no key, because they may have no storage.
        await context.addInitScript((value) => {
          if (window.parent === window) localStorage.setItem('winnow-key', value)
        }, key)
      }
      const page = await context.newPage()
      page.on('pageerror', (error) => onTrouble?.(error.message))
      page.on('dialog', (dialog) => {
        onTrouble?.(`dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) onTrouble?.(message.text())
      })
      return page
    },
    stop: () => browser.close(),
  }
}

interface AxeResult {
  violations: { id: string; impact: string | null; nodes: { html: string; failureSummary?: string }[] }[]
}

/** Returns serious accessibility violations of a page, found by axe. */
export async function findAccessibilityFaults(page: Page, rules?: string[]): Promise<string[]> {
  // Compiled once per document, because the script has half a megabyte.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) })
  // The script above defines `axe` in the page.
  const result = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResult
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
