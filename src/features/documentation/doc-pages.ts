import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** A Markdown file of the documentation. */
export interface DocPage {
  /** In the repository: `docs/guides/crawl.md`. */
  path: string
  /** On the service: `/docs/guides/crawl`. */
  url: string
  title: string
  markdown: string
}

export interface DocPages {
  byPath: ReadonlyMap<string, DocPage>
  byUrl: ReadonlyMap<string, DocPage>
  /** The page that lists the others. */
  home: DocPage
}

const homePath = 'docs/README.md'
const besideDocs = ['README.md', 'SECURITY.md']

/** Every page beside the service. Throws where they are not installed. */
export function readPages(root: string): DocPages {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const inDocs = names
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll(sep, '/')}`)
  const pages = [...besideDocs, ...inDocs].map((path) => readPage(root, path))
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const home = byPath.get(homePath)
  if (!home) throw new Error(`${homePath} is missing.`)
  return { byPath, byUrl: new Map(pages.map((page) => [page.url, page])), home }
}

function readPage(root: string, path: string): DocPage {
  const markdown = readFileSync(join(root, path), 'utf8')
  const title = /^#[ \t]+(.+)$/m.exec(markdown)?.[1] ?? path
  return { path, url: urlOf(path), title, markdown }
}

function urlOf(path: string): string {
  if (path === homePath) return '/docs'
  const name = path.replace(/\.md$/, '')
  return name.startsWith('docs/') ? `/${name}` : `/docs/${name.toLowerCase()}`
}
