import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runPython } from '../../test/python-library.ts'
import { testPython } from '../../test/servers/moto.ts'
import { temporaryFolder } from '../../test/service.ts'

const here = import.meta.dirname
const read = (path: string) => readFileSync(join(here, path), 'utf8')

it('has the version of the service, in both places', () => {
  const { version } = JSON.parse(read('../../package.json'))
  expect(/^version = "(.*)"$/m.exec(read('pyproject.toml'))?.[1]).toBe(version)
  expect(read('src/winnow_client/_version.py')).toContain(`VERSION = "${version}"`)
})

/** The examples of the README as functions, so that misspelt names in them are found. */
function readmeProgram(): string {
  const blocks = [...read('README.md').matchAll(/^```python\n(.*?)^```/gms)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(3)
  const functions = blocks.map((block, index) => {
    const client = /\bwinnow = |as winnow/.test(block) ? '' : 'winnow = Winnow()\n'
    const lines = (client + block).trim().split('\n')
    const given = 'body: bytes, headers: dict[str, str], secret: str'
    return `async def block_${index}(${given}) -> None:\n${lines.map((line) => `    ${line}`).join('\n')}\n`
  })
  return `from winnow_client import Winnow\n${functions.join('\n')}`
}

it.skipIf(testPython === undefined)(
  'is typed throughout, also where it is used',
  { timeout: 240_000 },
  async () => {
    const cache = temporaryFolder()
    const strict = ['-m', 'mypy', '--strict', '--cache-dir', cache.path]
    // Strict: what is marked as an error there has to be one.
    const wrong = join(here, '..', '..', 'test', 'python', 'typed_use.py')
    const readme = join(cache.path, 'readme.py')
    writeFileSync(readme, readmeProgram())
    const checked = ['src/winnow_client', 'examples', wrong, readme]
    const printed = await runPython(testPython ?? '', [...strict, ...checked], { cwd: here })
    cache.remove()
    expect(printed).toMatch(/^Success: no issues found in \d+ source files$/m)
  },
)
