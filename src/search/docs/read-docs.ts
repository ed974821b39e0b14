import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cutGuide, cutTable } from './cut-guide.ts'
import { type ApiDescription, readReference } from './read-reference.ts'
import type { DocSection } from './section.ts'

/** Tables about one name in each row, and the column that has it. */
const tables: Record<string, number> = {
  'docs/errors.md': 1,
  'docs/configuration.md': 0,
  'docs/limits.md': 0,
}
/** Written for people who change the service. */
const forContributors = 0.6
const weights: Record<string, number> = {
  'README.md': 0.9,
  'SECURITY.md': 0.9,
  'docs/architecture.md': forContributors,
  'docs/glossary.md': forContributors,
  'docs/performance.md': 0.7,
  'docs/quality.md': forContributors,
}
/** About the code and its tests: nobody who uses the service looks there. */
const leftOut = new Set(['docs/imports.md', 'docs/proof.md', 'docs/compatibility.md'])
const besideDocs = ['README.md', 'SECURITY.md']
const description = 'docs/openapi.json'

/** The documentation in the folder of the service → its sections. Throws where it is not there. */
export async function readDocs(root: string): Promise<DocSection[]> {
  const inDocs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).sort()
  const paths = [...besideDocs, ...inDocs.map((name) => `docs/${name}`)].filter((path) => !leftOut.has(path))
  const guides = await Promise.all(paths.map(async (path) => sectionsOf(path, await textOf(root, path))))
  // A file of our own, written by `generate`.
  const api = JSON.parse(
    (await textOf(root, description)) || '{"paths":{},"components":{"schemas":{}}}',
  ) as ApiDescription
  return [...guides.flat(), ...readReference(api)]
}

async function textOf(root: string, path: string): Promise<string> {
  return readFile(join(root, path), 'utf8')
}

function sectionsOf(path: string, markdown: string): DocSection[] {
  const weight = weights[path] ?? 1
  const nameColumn = tables[path]
  const table = nameColumn === undefined ? [] : cutTable(path, markdown, { nameColumn, weight })
  const rest = table.length === 0 ? markdown : markdown.replace(/^\|.*$/gm, '')
  return [...cutGuide(path, rest, weight), ...table]
}
