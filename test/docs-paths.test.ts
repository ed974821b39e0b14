import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { members } from './newcomer/members.ts'

const root = join(import.meta.dirname, '..')
// Files that a reader adds, and files of other programs.
const notInRepository = [
  ...members.flatMap(({ file }) => file?.path ?? []),
  '.cursor/mcp.json',
  '.vscode/mcp.json',
]

it('the documentation names only existing source files', () => {
  const pages = [...globSync('docs/**/*.md', { cwd: root }), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md']
  const paths = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    return [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|json))`/g)].map(([, path = '']) => path)
  })
  expect(paths.length).toBeGreaterThan(100)
  const baseFolders = ['', 'src', 'src/features']
  const doesExist = (path: string) =>
    baseFolders.some((baseFolder) => existsSync(join(root, baseFolder, path)))
  expect(paths.filter((path) => !doesExist(path) && !notInRepository.includes(path))).toEqual([])
})
