import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

/** Returns the names in the first column of the tables between a heading and the next one. */
function namesUnder(heading: string): string[] {
  const [, part = ''] = read('docs/adr/0011-dependencies.md').split(`**${heading}**`)
  const rows = part.split(/\n\*\*|\n## /, 1)[0]?.split('\n') ?? []
  const tableRows = rows.filter((row) => row.startsWith('|')).slice(2)
  return tableRows.flatMap((row) => row.split('|')[1]?.trim().split(/,\s*/) ?? []).sort()
}

const manifest = JSON.parse(read('package.json')) as Record<'dependencies' | 'devDependencies', object>

/** Returns the dependencies of the folder `runtime` and its subfolders. */
function runtimeDependencies(): string[] {
  const folder = new URL('../runtime/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((path) => /(^|\/)package\.json$/.test(path) && !path.includes('node_modules'))
    .flatMap((path) => {
      const { dependencies, optionalDependencies } = JSON.parse(read(`runtime/${path}`))
      return Object.keys({ ...dependencies, ...optionalDependencies })
    })
    .sort()
}

function consoleDependencies(): string[] {
  const { dependencies, devDependencies } = JSON.parse(read('console/package.json'))
  return Object.keys({ ...dependencies, ...devDependencies }).sort()
}

it('lists exactly the dependencies of the packages in ADR 0011', () => {
  expect(namesUnder('At run time')).toEqual(Object.keys(manifest.dependencies).sort())
  expect(namesUnder('Carried in runtime/')).toEqual(runtimeDependencies())
  expect(namesUnder('Built into the console')).toEqual(consoleDependencies())
  expect(namesUnder('For development and tests')).toEqual(Object.keys(manifest.devDependencies).sort())
})
