import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

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

/** The pages by what one wants, in the order of the list of all pages. */
export interface OutlineGroup {
  title: string
  entries: { page: DocPage; title: string; about: string }[]
}

const entry = /^- \[([^\]]+)\]\(([^)#\s]+)\)(?::\s*(.+))?$/

/** Headings and links of the home page → groups. Entries that are no pages, such as the reference, stand there alone. */
export function readOutline({ home, byPath }: DocPages): OutlineGroup[] {
  const groups: OutlineGroup[] = []
  for (const line of home.markdown.split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1]
    if (heading !== undefined) groups.push({ title: heading, entries: [] })
    const [, title, href, about = ''] = entry.exec(line) ?? []
    const page = href === undefined ? undefined : byPath.get(posix.join(posix.dirname(home.path), href))
    if (title !== undefined && page) groups.at(-1)?.entries.push({ page, title, about })
  }
  return groups.filter(({ entries }) => entries.length > 0)
}

/** What the home page says before its first heading of a group. */
export function introOf({ home }: DocPages): string {
  const [intro = ''] = home.markdown.split(/^## /m)
  return intro.replace(/^# .+$/m, '').trim()
}
