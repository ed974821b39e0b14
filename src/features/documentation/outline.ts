import { posix } from 'node:path'
import type { DocPage, DocPages } from './doc-pages.ts'

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
