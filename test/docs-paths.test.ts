import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { members } from './newcomer/members.ts'

const root = join(import.meta.dirname, '..')
// Those that a reader adds, and those of other programs.
const elsewhere = [...members.flatMap(({ file }) => file?.path ?? []), '.cursor/mcp.json', '.vscode/mcp.json']

it('the documentation names no source that is not there', () => {
  const pages = [...globSync('docs/**/*.md', { cwd: root }), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md']
  const named = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    return [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|json))`/g)].map(([, path = '']) => path)
  })
  expect(named.length).toBeGreaterThan(100)
  const places = ['', 'src', 'src/features']
  const isThere = (path: string) => places.some((place) => existsSync(join(root, place, path)))
  expect(named.filter((path) => !isThere(path) && !elsewhere.includes(path))).toEqual([])
})
