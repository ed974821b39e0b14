import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './child.mjs'
import { SetupError } from './report.mjs'

/**
 * @typedef {object} BrowserPackage a package that provides a browser, if it is installed in the project
 * @property {string} name
 * @property {string} title
 * @property {(canInstallSystemPackages: boolean) => string[]} args arguments of Node that
 *   install the browser in a folder that the tool search includes
 */

/** @type {BrowserPackage[]} */
export const browserPackages = [
  {
    name: 'playwright-core',
    title: "Downloading Playwright's Chromium",
    args: (canInstallSystemPackages) => [
      'node_modules/playwright-core/cli.js',
      'install',
      '--only-shell',
      ...(canInstallSystemPackages ? ['--with-deps'] : []),
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
 * @param {import('./paths.mjs').ProjectPaths} paths
 */
export function isPresent(browser, paths) {
  return existsSync(join(paths.root, 'node_modules', browser.name))
}

/**
 * @param {BrowserPackage} browser
 * @param {object} options
 * @param {import('./paths.mjs').ProjectPaths} options.paths
 * @param {string} options.node
 * @param {NodeJS.ProcessEnv} options.environment
 * @param {boolean} options.canInstallSystemPackages true if system packages may be installed for the browser
 */
export async function installBrowser(browser, { paths, node, environment, canInstallSystemPackages }) {
  // TMPDIR is a separate folder: in the shared temporary folder, any user could have placed a program with that name.
  const unpacked = join(paths.prepared, 'unpacked')
  mkdirSync(unpacked, { recursive: true })
  const { code, output, hasTimedOut } = await runQuietly(node, browser.args(canInstallSystemPackages), {
    folder: paths.root,
    environment: { ...environment, TMPDIR: unpacked },
    limit: 5 * 60_000,
  })
  if (code === 0) return
  throw new SetupError(
    `${browser.name}: ${hasTimedOut ? 'took longer than five minutes' : findErrorLine(output)}`,
  )
}

/** @param {string} output */
function findErrorLine(output) {
  const lines = output.trim().split('\n')
  return (lines.find((line) => /error|fail/i.test(line)) ?? lines.pop() ?? '').trim().slice(0, 300)
}
