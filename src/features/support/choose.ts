import type { JobTrace } from '../job-trace.ts'
import { stepsOf } from './support-case.ts'

/** A job of the team as the choice sees it, the newest first. */
export interface RecentJob {
  id: string
  kind: string
  state: string
  target: string | null
  createdAt: number
}

const kindWords: [string, RegExp][] = [
  ['crawl', /\bcrawl/i],
  ['batch_scrape', /\bbatch/i],
  ['map', /\bmap(ped|ping)?\b|sitemap/i],
  ['search', /\bsearch/i],
  ['parse', /\bpars(e|ed|ing)\b|\bupload|\bfile\b|\bpdf\b|\bdocx?\b/i],
  ['interact', /\binteract/i],
  ['browser', /\bsession|\bbrowser\b/i],
  ['extract', /\bextract/i],
  ['scrape', /\bscrap(e|ed|ing)\b|\bpage\b|\bmarkdown\b|\burl\b/i],
]

/** Words of people for whom something went wrong; others only want to know something. */
export const trouble =
  /\b(?:empty|blank|zero|none|useless|rubbish|fail\w*|errors?|wrong|miss(?:ing|ed|es)|not|\w+n'?t|cannot|never|only|old|stale|stuck|slow\w*|time(?:d|s)? ?out|garbled|block\w*|nothing|no|why|problem\w*|broken?|breaks?|lost|cut|refus\w*|den(?:y|ied|ies)|too|keeps?|lacks?|without|gibberish|\d{3})\b/i

const hour = 3600_000

/** The job that a question without an id is about; undefined where none is. */
export function chooseJob(words: string, jobs: readonly RecentJob[], now: number): RecentJob | undefined {
  const spoken = words.toLowerCase()
  const isTroubled = trouble.test(words)
  const kinds = kindWords.filter(([, pattern]) => pattern.test(words)).map(([kind]) => kind)
  const scored = jobs.map((job, index) => ({ job, score: scoreOf(job, { spoken, kinds, index, now }) }))
  const best = scored.sort((left, right) => right.score - left.score)[0]
  // Who names an address wants to know something of it.
  const least = isTroubled ? 2 : 3
  return best && best.score >= least ? best.job : undefined
}

/** Whether the question names a page of a host, and not only the host. */
function namesPageOf(spoken: string, host: string): boolean {
  const after = spoken.slice(spoken.indexOf(host) + host.length)
  return /^\/[^\s"'),.?]/.test(after)
}

function scoreOf(
  job: RecentJob,
  { spoken, kinds, index, now }: { spoken: string; kinds: string[]; index: number; now: number },
): number {
  const address = URL.parse(job.target ?? '')
  const isNamed = job.target !== null && job.target !== '' && spoken.includes(job.target.toLowerCase())
  const isOfHost = address !== null && address.host !== '' && spoken.includes(address.host)
  // Another page of the site than the one that is named is hardly meant.
  const ofHost = isOfHost ? (namesPageOf(spoken, address.host) ? 1 : 3) : 0
  const isFailed = job.state === 'failed' ? 1.5 : 0
  const isFresh = now - job.createdAt < hour ? 0.7 : 0
  const isOfKind = kinds[0] === job.kind ? 1.5 : kinds.includes(job.kind) ? 0.8 : 0
  // Among equals the newest.
  return (isNamed ? 6 : ofHost) + isFailed + isFresh + isOfKind - index / 1000
}

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
