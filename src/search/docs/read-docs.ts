import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { yieldOften } from '../../base/yield-often.ts'
import { cutGuide, cutTable, type NameTable } from './cut-guide.ts'
import { type ApiDescription, readReference, referenceWeight } from './read-reference.ts'
import type { DocSection } from './section.ts'

/** Tables with one name per row, and the column of the name. */
export const tablesOfNames: Record<string, NameTable> = {
  'docs/errors.md': { nameColumn: 1, weight: 1, kind: 'error' },
  'docs/configuration.md': { nameColumn: 0, weight: referenceWeight },
  'docs/limits.md': { nameColumn: 0, weight: 1, kind: 'limit' },
}
/** The first pattern that matches a path decides. */
const weights: [RegExp, number][] = [
  // For people who change the service, or come from another one.
  [/^docs\/(?:architecture|glossary|quality|guides\/plug-in)\.md$/, 0.6],
  [/^docs\/guides\/from-/, 0.5],
  [/^docs\/performance\.md$/, 0.7],
  [/^README\.md$|^docs\/(?:cli\.md$|migrate-)/, 0.8],
  // Shorter than the pages that they link to.
  [/^SECURITY\.md$|^docs\/guides\//, 0.85],
]
/** Pages about the code and its tests, and the list of all pages. */
const ignoredPages = new Set(['docs/README.md', 'docs/imports.md', 'docs/proof.md', 'docs/compatibility.md'])

/** Reads the documentation in the folder of the service. Throws if the files are missing. */
export async function readDocs(root: string): Promise<DocSection[]> {
  const folders = await Promise.all(['docs', 'docs/guides'].map((folder) => listMarkdown(root, folder)))
  const paths = ['README.md', 'SECURITY.md', ...folders.flat()].filter((path) => !ignoredPages.has(path))
  const pauses = yieldOften()
  const sections: DocSection[] = []
  for (const path of paths) {
    sections.push(...readPage(path, await readFile(join(root, path), 'utf8')))
    await pauses.take()
  }
  // `npm run generate` writes the file, so its shape is known.
  const api = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8')) as ApiDescription
  await pauses.take()
  return [...sections, ...readReference(api)]
}

async function listMarkdown(root: string, folder: string): Promise<string[]> {
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith('.md'))
  return names.sort().map((name) => `${folder}/${name}`)
}

/** Output of an example, which has no words that a question would have. */
const exampleOutput = /^```(?:json|text)\n.*?^```$/gms

function readPage(path: string, markdown: string): DocSection[] {
  const weight = weights.find(([pattern]) => pattern.test(path))?.[1] ?? 1
  if (path.startsWith('docs/guides/')) return cutGuide(path, markdown.replace(exampleOutput, ''), weight)
  const table = tablesOfNames[path]
  if (!table) return cutGuide(path, markdown, weight)
  return [...cutGuide(path, markdown.replace(/^\|.*$/gm, ''), weight), ...cutTable(path, markdown, table)]
}
