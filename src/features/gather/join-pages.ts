import type { Conflict, Merged } from '../../reading/merge/merging.ts'
import type { GatherWork } from './gather-work.ts'
import type { ReadPage } from './read-pages.ts'

/** What several pages came to. */
export interface JoinedPages {
  data: unknown
  sources: Record<string, string[]>
  conflicts: Conflict[]
  warnings: string[]
}

const mostNamed = 20

/** Pages that were read → one value, its sources, what they disagree on, and what is missing. */
export async function joinPages(
  work: Pick<GatherWork, 'merge'>,
  schema: unknown,
  read: readonly ReadPage[],
): Promise<JoinedPages> {
  const pages = read.flatMap(({ values }) => values ?? [])
  const merged = await work.merge(schema, pages)
  return {
    data: merged.value ?? {},
    sources: merged.sources,
    conflicts: merged.conflicts,
    warnings: [...warningsOfMerge(merged), ...warningsOfPages(read)],
  }
}

function warningsOfMerge({ missing, borrowed, conflicts, leftOut, unlisted }: Merged): string[] {
  const warnings: string[] = []
  if (missing.length > 0) warnings.push(`Not found on any page, and left out: ${named(missing)}.`)
  if (conflicts.length > 0) {
    const paths = named(conflicts.map(({ path }) => path))
    warnings.push(`The pages disagree on ${paths}; showSources: true lists every value with its page.`)
  }
  if (borrowed.length > 0)
    warnings.push(
      `The pages name different things; only one about another of them states ${named(borrowed)}.`,
    )
  if (unlisted.conflicts > 0) warnings.push(`${unlisted.conflicts} more conflicts are not listed.`)
  if (unlisted.sources > 0) warnings.push(`The sources of ${unlisted.sources} more values are not listed.`)
  if (leftOut > 0) warnings.push(`${leftOut} entries of lists were one too many and left out.`)
  return warnings
}

export function warningsOfPages(read: readonly ReadPage[]): string[] {
  const failed = read.filter(({ error }) => error !== undefined)
  const told = failed.slice(0, mostNamed).map(({ url, error }) => `${url}: ${error}`)
  const more = failed.length > mostNamed ? ` And ${failed.length - mostNamed} more.` : ''
  const ofModel = read.flatMap(({ url, warnings }) => warnings.map((warning) => `${url}: ${warning}`))
  const unread = `${failed.length} ${failed.length === 1 ? 'page' : 'pages'} could not be read. ${told.join(' ')}${more}`
  return [...(failed.length > 0 ? [unread] : []), ...ofModel.slice(0, mostNamed)]
}

function named(paths: readonly string[]): string {
  const more = paths.length - mostNamed
  return paths.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
