import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { chromiumPath } from './servers/browser.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface ConsoleBrowser {
  /** A visitor with storage of their own; with a key, one who has been here before. */
  visit(options?: Visit): Promise<Page>
  stop(): Promise<void>
}

export interface Visit {
  key?: string
  theme?: 'light' | 'dark'
  width?: number
  /** Told of every error in the page, and of everything that the content security policy refused. */
  onTrouble?: (text: string) => void
}

export async function startConsoleBrowser(url: string): Promise<ConsoleBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: chromiumPath ?? '' })
  return {
    async visit({ key, theme = 'light', width = 1280, onTrouble } = {}) {
      const context: BrowserContext = await browser.newContext({
        baseURL: url,
        colorScheme: theme,
        viewport: { width, height: 900 },
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      if (key !== undefined) {
        await context.addInitScript((value) => localStorage.setItem('winnow-key', value), key)
      }
      const page = await context.newPage()
      page.on('pageerror', (error) => onTrouble?.(error.message))
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

/** What people with a keyboard, a screen reader or weak eyes would meet on a page; serious faults alone. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  // The script that was just run has put it there.
  const result = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResult
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
