import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runPython } from '../../test/python-library.ts'
import { testPython } from '../../test/servers/moto.ts'
import { temporaryFolder } from '../../test/service.ts'

const folder = import.meta.dirname
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

it('has the version of the service in both files', () => {
  const { version } = JSON.parse(read('../../package.json'))
  expect(/^version = "(.*)"$/m.exec(read('pyproject.toml'))?.[1]).toBe(version)
  expect(read('src/winnow_client/_version.py')).toContain(`VERSION = "${version}"`)
})

/** Returns the examples of the README as functions, so that mypy finds misspelt names in them. */
function readmeProgram(): string {
  const blocks = [...read('README.md').matchAll(/^```python\n(.*?)^```/gms)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(3)
  const functions = blocks.map((block, index) => {
    const client = /\bwinnow = |as winnow/.test(block) ? '' : 'winnow = Winnow()\n'
    const lines = (client + block).trim().split('\n')
    const parameters = 'body: bytes, headers: dict[str, str], secret: str'
    return `async def block_${index}(${parameters}) -> None:\n${lines.map((line) => `    ${line}`).join('\n')}\n`
  })
  return `from winnow_client import Winnow\n${functions.join('\n')}`
}

it.skipIf(testPython === undefined)(
  'passes strict type checks, including its examples and callers',
  { timeout: 240_000 },
  async () => {
    const cache = temporaryFolder()
    const mypyArgs = ['-m', 'mypy', '--strict', '--cache-dir', cache.path]
    // In strict mode, each line of this file that is marked as an error must be one.
    const typedUse = join(folder, '..', '..', 'test', 'python', 'typed_use.py')
    const readme = join(cache.path, 'readme.py')
    writeFileSync(readme, readmeProgram())
    const checkedPaths = ['src/winnow_client', 'examples', typedUse, readme]
    const printed = await runPython(testPython ?? '', [...mypyArgs, ...checkedPaths], { cwd: folder })
    cache.remove()
    expect(printed).toMatch(/^Success: no issues found in \d+ source files$/m)
  },
)
