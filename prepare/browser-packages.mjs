import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { Refusal } from './report.mjs'

/**
 * @typedef {object} BrowserPackage a package that provides a browser, if it is installed in the project
 * @property {string} name
 * @property {string} title
 * @property {(maySystem: boolean) => string[]} args arguments with which Node installs the browser where
 *   the tool search finds it
 */

/** @type {BrowserPackage[]} */
export const browserPackages = [
  {
    name: 'playwright-core',
    title: "Downloading Playwright's Chromium",
    args: (maySystem) => [
      'node_modules/playwright-core/cli.js',
      'install',
      '--only-shell',
      ...(maySystem ? ['--with-deps'] : []),
      'chromium',
    ],
  },
  {
    name: '@sparticuz/chromium',
    title: 'Unpacking the Chromium of @sparticuz/chromium',
    args: () => [
      '--input-type=module',
      '--eval',
      "import chromium from '@sparticuz/chromium'; await chromium.executablePath()",
    ],
  },
]

/**
 * @param {BrowserPackage} browser
 * @param {import('./paths.mjs').Places} places
 */
export function isPresent(browser, places) {
  return existsSync(join(places.root, 'node_modules', browser.name))
}

/**
 * @param {BrowserPackage} browser
 * @param {object} options
 * @param {import('./paths.mjs').Places} options.places
 * @param {string} options.node
 * @param {NodeJS.ProcessEnv} options.environment
 * @param {boolean} options.maySystem true if system packages may be installed for the browser
 */
export async function bringBrowser(browser, { places, node, environment, maySystem }) {
  // TMPDIR is a separate folder: in the shared temporary folder, any user could have placed a program with that name.
  const unpacked = join(places.prepared, 'unpacked')
  mkdirSync(unpacked, { recursive: true })
  const { code, output, overdue } = await runQuietly(node, browser.args(maySystem), {
    folder: places.root,
    environment: { ...environment, TMPDIR: unpacked },
    limit: 5 * 60_000,
  })
  if (code === 0) return
  throw new Refusal(`${browser.name}: ${overdue ? 'took longer than five minutes' : findErrorLine(output)}`)
}

/** @param {string} output */
function findErrorLine(output) {
  const lines = output.trim().split('\n')
  return (lines.find((line) => /error|fail/i.test(line)) ?? lines.pop() ?? '').trim().slice(0, 300)
}
