import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { yieldOften } from '../../base/yield-often.ts'
import type { ApiDescription } from './api-description.ts'
import { cutGuide, cutTable } from './cut-guide.ts'
import { readReference } from './read-reference.ts'
import type { DocKind, DocSection } from './section.ts'

/** Tables about one name in each row, and the column that has it. */
export const tablesOfNames: Record<string, { nameColumn: number; kind: DocKind }> = {
  'docs/errors.md': { nameColumn: 1, kind: 'error' },
  'docs/configuration.md': { nameColumn: 0, kind: 'setting' },
  'docs/limits.md': { nameColumn: 0, kind: 'limit' },
}
/** Written for people who change the service. */
const forContributors = 0.6
const weights: Record<string, number> = {
  'README.md': 0.8,
  'SECURITY.md': 0.85,
  'docs/architecture.md': forContributors,
  'docs/glossary.md': forContributors,
  'docs/performance.md': 0.7,
  'docs/quality.md': forContributors,
  'docs/guides/plug-in.md': forContributors,
}
/** They say it more briefly than what they link to. */
const ofGuides = 0.85
/** The words of other services, which few ask for. */
const ofMigrations = 0.6
/** About the code and its tests, which nobody who uses the service looks for, and the list of all pages. */
const leftOut = new Set(['docs/README.md', 'docs/imports.md', 'docs/proof.md', 'docs/compatibility.md'])
const folders = ['docs', 'docs/guides']
const besideDocs = ['README.md', 'SECURITY.md']

/** The documentation in the folder of the service → its sections. Throws where it is not there. */
export async function readDocs(root: string): Promise<DocSection[]> {
  const inDocs = await Promise.all(folders.map((folder) => markdownIn(root, folder)))
  const paths = [...besideDocs, ...inDocs.flat()].filter((path) => !leftOut.has(path))
  const pauses = yieldOften()
  const sections: DocSection[] = []
  for (const path of paths) {
    sections.push(...sectionsOf(path, await textOf(root, path)))
    await pauses.take()
  }
  // A file of our own, written by `generate`.
  const api = JSON.parse(await textOf(root, 'docs/openapi.json')) as ApiDescription
  await pauses.take()
  return [...sections, ...readReference(api)].map(lessIfAbsent)
}

async function markdownIn(root: string, folder: string): Promise<string[]> {
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith('.md'))
  return names.sort().map((name) => `${folder}/${name}`)
}

const textOf = (root: string, path: string) => readFile(join(root, path), 'utf8')

function sectionsOf(path: string, markdown: string): DocSection[] {
  const weight = weights[path] ?? weightIn(path)
  if (path.startsWith('docs/guides/')) return cutGuide(path, markdown.replace(answers, ''), weight)
  const table = tablesOfNames[path]
  if (!table) return cutGuide(path, markdown, weight)
  const beside = cutGuide(path, markdown.replace(/^\|.*$/gm, ''), weight)
  return [...beside, ...cutTable(path, markdown, table)]
}

function weightIn(path: string): number {
  if (path.startsWith('docs/guides/from-')) return ofMigrations
  return path.startsWith('docs/guides/') ? ofGuides : 1
}

/** What an example came to. Nobody asks for its words. */
const answers = /^```(?:json|text)\n.*?^```$/gms

const absent = /\b(?:not available here|no effect|which is not available)\b/i

/** What the service knows only to refuse it answers few questions. */
function lessIfAbsent(section: DocSection): DocSection {
  const isAbsent = section.kind === 'option' && absent.test(section.text)
  return isAbsent ? { ...section, weight: 0.5 * section.weight } : section
}
