import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Package names that the project does not own in any registry, so that anyone could publish a package under them. */
const unownedNames = ['winnow', 'winnow-client', 'winnow_client', 'winnow-cli', 'winnow-mcp', 'winnow-sdk']

const names = `(?:${unownedNames.join('|')})(?:@\\S+)?(?=\\s|$)`
const commands = [
  ...['npx', 'pnpx', 'bunx', 'uvx', 'npm exec', 'npm x', '(?:pnpm|yarn) dlx', 'bun x', 'pipx run'],
  '(?:npm|pnpm|yarn|bun|deno|pip3?|pipx|uv|uv pip|uv tool|poetry) (?:install|i|add)',
]
const fromRegistry = new RegExp(
  `(?:\\b(?:${commands.join('|')}) (?:\\S+ ){0,4}?|\\b(?:npm|jsr):|(?:unpkg\\.com|esm\\.sh|jsdelivr\\.net/npm)/)${names}`,
  'g',
)

/**
 * Returns each command in a text that would download an unowned package, even with JSON quotes and commas in between.
 */
function findRegistryCommands(text: string): string[] {
  return text.replaceAll(/(?:["'`,[\]{}\\\s]|:(?=[\s"'[]))+/g, ' ').match(fromRegistry) ?? []
}

const skippedFolders = [
  'node_modules',
  '.git',
  '.prepared',
  'data',
  'dist',
  'corpus',
  'html5lib',
  '__pycache__',
]
const textFile = /(?:\.(?:md|mdx|ts|tsx|mjs|js|json|py|toml|ya?ml|html|sh|txt|svg)|Dockerfile|\.example)$/

function listTextFiles(): string[] {
  const files = globSync('**/*', {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => skippedFolders.includes(entry.name),
  })
  return files
    .filter((entry) => entry.isFile() && textFile.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !['CHANGELOG.md', 'test/package-names.test.ts'].includes(path))
}

it('finds commands that download an unowned package', () => {
  const bad = [
    'npx winnow scrape https://example.com',
    'npx -y winnow-client mcp',
    '"command": "npx",\n      "args": ["-y", "winnow-client", "mcp"]',
    'npm install winnow-client',
    'npm i --save-dev winnow-client@1.0.0',
    'pip install winnow-client',
    'pip install --upgrade winnow_client',
    'uvx winnow',
    "import x from 'npm:winnow-client'",
    'deno add npm:winnow-client',
  ]
  const good = [
    'npm run winnow -- scrape https://example.com',
    'node client/bin/winnow.mjs mcp',
    'npm install ./winnow-client-0.1.0.tgz',
    'pip install ./client/python',
    "import { Winnow } from 'winnow-client'",
    'npm install firecrawl',
  ]
  expect(bad.filter((text) => findRegistryCommands(text).length === 0)).toEqual([])
  expect(good.filter((text) => findRegistryCommands(text).length > 0)).toEqual([])
})

it('no file instructs a reader to download a package that the project does not own', () => {
  const paths = listTextFiles()
  expect(paths).toEqual(expect.arrayContaining(['README.md', 'docs/cli.md', 'client/README.md']))
  const commandsByFile = paths.flatMap((path) =>
    findRegistryCommands(readFileSync(join(root, path), 'utf8')).map((command) => `${path}: ${command}`),
  )
  expect(commandsByFile).toEqual([])
})
