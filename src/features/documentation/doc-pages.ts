import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

export interface DocPage {
  /** Path in the repository: `docs/guides/crawl.md`. */
  path: string
  /** URL on the service: `/docs/guides/crawl`. */
  url: string
  title: string
  markdown: string
}

export type DocPages = ReturnType<typeof readDocPages>

const homePath = 'docs/README.md'
const rootFiles = ['README.md', 'SECURITY.md']

/** Reads all pages of the documentation. Throws if they are not installed. */
export function readDocPages(root: string) {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const docsFiles = names
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll(sep, '/')}`)
  const pages = [...rootFiles, ...docsFiles].map((path) => readDocPage(root, path))
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const home = byPath.get(homePath)
  if (!home) throw new Error(`${homePath} is missing.`)
  return { byPath, byUrl: new Map(pages.map((page) => [page.url, page])), home }
}

function readDocPage(root: string, path: string): DocPage {
  const markdown = readFileSync(join(root, path), 'utf8')
  const title = /^#[ \t]+(.+)$/m.exec(markdown)?.[1] ?? path
  return { path, url: toUrl(path), title, markdown }
}

function toUrl(path: string): string {
  if (path === homePath) return '/docs'
  const name = path.replace(/\.md$/, '')
  return name.startsWith('docs/') ? `/${name}` : `/docs/${name.toLowerCase()}`
}

/** Group of pages with a common purpose, in the order of the home page. */
export interface OutlineGroup {
  title: string
  entries: { page: DocPage; title: string; about: string }[]
}

const entryPattern = /^- \[([^\]]+)\]\(([^)#\s]+)\)(?::\s*(.+))?$/

/** Converts the headings and links of the home page to groups. Skips entries that are not pages, such as the reference. */
export function readOutline({ home, byPath }: DocPages): OutlineGroup[] {
  const groups: OutlineGroup[] = []
  for (const line of home.markdown.split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1]
    if (heading !== undefined) groups.push({ title: heading, entries: [] })
    const [, title, href, about = ''] = entryPattern.exec(line) ?? []
    const page = href === undefined ? undefined : byPath.get(posix.join(posix.dirname(home.path), href))
    if (title !== undefined && page) groups.at(-1)?.entries.push({ page, title, about })
  }
  return groups.filter(({ entries }) => entries.length > 0)
}

/** Returns the text of the home page before the heading of its first group. */
export function introOf({ home }: DocPages): string {
  const [intro = ''] = home.markdown.split(/^## /m)
  return intro.replace(/^# .+$/m, '').trim()
}
