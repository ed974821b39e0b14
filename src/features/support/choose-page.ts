import type { JobTrace } from '../job-trace.ts'
import { stepsOf } from './support-case.ts'

const thin = 250

/** The page of a crawl or a batch that says most about a question: named in it, failed, or the worst to look at. */
export function choosePage(
  words: string,
  { job, pages }: { job: JobTrace; pages: readonly JobTrace[] },
): JobTrace | undefined {
  // The start of a crawl is often a list of links, and says little of the others.
  const ofStart = ({ target }: JobTrace) => (job.kind === 'crawl' && target === job.target ? 1.5 : 0)
  const scored = pages.map((page, at) => ({ page, score: troubleOf(page) - ofStart(page) - at / 1000 }))
  const named = namedIn(
    words,
    pages.map(({ target }) => target ?? ''),
  )
  const best = scored.toSorted(
    (left, right) => right.score + bonus(right.page, named) - (left.score + bonus(left.page, named)),
  )
  return best[0]?.page
}

const bonus = ({ target }: JobTrace, named: ReadonlySet<string>) => (named.has(target ?? '') ? 4 : 0)

/** Those of the addresses that a question means: by a word of their last part which not all of them have. */
export function namedIn(words: string, targets: readonly string[]): Set<string> {
  const spoken = new Set(words.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])
  const found = targets.filter((target) => partsOf(target).some((part) => spoken.has(part)))
  return new Set(found.length < targets.length ? found : [])
}

function partsOf(target: string): string[] {
  const path = URL.parse(target)?.pathname ?? ''
  const last = path.replace(/\/$/, '').split('/').at(-1) ?? ''
  return last.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
}

function troubleOf(page: JobTrace): number {
  const last = { job: page, children: [] }
  const read = stepsOf(last, 'read').at(-1)
  const write = stepsOf(last, 'write').at(-1)
  const verdict = stepsOf(last, 'verdict').at(-1)
  const status = stepsOf(last, 'fetch').at(-1)?.status ?? 200
  const lost = read ? read.pageCharacters - read.keptCharacters : 0
  return (
    (page.error ? 5 : 0) +
    (status >= 400 ? 3 : 0) +
    (verdict && verdict.kind !== 'good' ? 3 : 0) +
    (write && write.warnings.length > 0 ? 1.5 : 0) +
    ((write?.markdownCharacters ?? thin) < thin ? 1 : 0) +
    Math.min(2, Math.max(0, lost) / 500)
  )
}
