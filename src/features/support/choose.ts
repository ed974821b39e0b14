import type { JobTrace } from '../job-trace.ts'
import { stepsOf } from './support-case.ts'

/** Recent job of the team; lists are sorted by creation time, newest first. */
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

/** Words that indicate a problem. Questions without them only request information. */
export const problemWords =
  /\b(?:empty|blank|zero|none|useless|rubbish|fail\w*|errors?|wrong|miss(?:ing|ed|es)|not|\w+n'?t|cannot|never|only|old|stale|stuck|slow\w*|time(?:d|s)? ?out|garbled|block\w*|nothing|no|why|problem\w*|broken?|breaks?|lost|cut|refus\w*|den(?:y|ied|ies)|too|keeps?|lacks?|without|gibberish|\d{3})\b/i

const hourMs = 3600_000

/** Returns the most likely job of a question that contains no job id; undefined if no job matches. */
export function chooseJob(words: string, jobs: readonly RecentJob[], now: number): RecentJob | undefined {
  const question = words.toLowerCase()
  const hasProblemWord = problemWords.test(words)
  const kinds = kindWords.filter(([, pattern]) => pattern.test(words)).map(([kind]) => kind)
  const scored = jobs.map((job, index) => ({
    job,
    score: scoreOf(job, { question, kinds, index, now }),
  }))
  const best = scored.sort((left, right) => right.score - left.score)[0]
  // A question that contains a URL is about this URL, even without a problem.
  const minScore = hasProblemWord ? 2 : 3
  return best && best.score >= minScore ? best.job : undefined
}

/** Returns true if the question contains a path on the host, and not only the host. */
function namesPageOf(question: string, host: string): boolean {
  const rest = question.slice(question.indexOf(host) + host.length)
  return /^\/[^\s"'),.?]/.test(rest)
}

function scoreOf(
  job: RecentJob,
  { question, kinds, index, now }: { question: string; kinds: string[]; index: number; now: number },
): number {
  const targetUrl = URL.parse(job.target ?? '')
  const containsTarget =
    job.target !== null && job.target !== '' && question.includes(job.target.toLowerCase())
  const containsHost = targetUrl !== null && targetUrl.host !== '' && question.includes(targetUrl.host)
  // If the question contains another page of the host, it is probably not about this job.
  const hostScore = containsHost ? (namesPageOf(question, targetUrl.host) ? 1 : 3) : 0
  const isFailed = job.state === 'failed' ? 1.5 : 0
  const isFresh = now - job.createdAt < hourMs ? 0.7 : 0
  const isOfKind = kinds[0] === job.kind ? 1.5 : kinds.includes(job.kind) ? 0.8 : 0
  // Among equal scores, the newest job wins.
  return (containsTarget ? 6 : hostScore) + isFailed + isFresh + isOfKind - index / 1000
}

const minMarkdownLength = 250

/**
 * Returns the most relevant page of a crawl or a batch: it is named in the question, has failed, or has the worst
 * result.
 */
export function choosePage(
  words: string,
  { job, pages }: { job: JobTrace; pages: readonly JobTrace[] },
): JobTrace | undefined {
  // The start page of a crawl is often a list of links and not representative.
  const startPenalty = ({ target }: JobTrace) => (job.kind === 'crawl' && target === job.target ? 1.5 : 0)
  const scored = pages.map((page, index) => ({
    page,
    score: problemScoreOf(page) - startPenalty(page) - index / 1000,
  }))
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

/** Returns the URLs whose last path segment contains a word of the question; empty if this is true for all URLs. */
export function namedIn(words: string, targets: readonly string[]): Set<string> {
  const questionWords = new Set(words.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])
  const found = targets.filter((target) => lastSegmentWords(target).some((word) => questionWords.has(word)))
  return new Set(found.length < targets.length ? found : [])
}

function lastSegmentWords(target: string): string[] {
  const path = URL.parse(target)?.pathname ?? ''
  const lastSegment = path.replace(/\/$/, '').split('/').at(-1) ?? ''
  return lastSegment.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
}

function problemScoreOf(page: JobTrace): number {
  const pageTrace = { job: page, children: [] }
  const read = stepsOf(pageTrace, 'read').at(-1)
  const write = stepsOf(pageTrace, 'write').at(-1)
  const verdict = stepsOf(pageTrace, 'verdict').at(-1)
  const status = stepsOf(pageTrace, 'fetch').at(-1)?.status ?? 200
  const lost = read ? read.pageCharacters - read.keptCharacters : 0
  return (
    (page.error ? 5 : 0) +
    (status >= 400 ? 3 : 0) +
    (verdict && verdict.kind !== 'good' ? 3 : 0) +
    (write && write.warnings.length > 0 ? 1.5 : 0) +
    ((write?.markdownCharacters ?? minMarkdownLength) < minMarkdownLength ? 1 : 0) +
    Math.min(2, Math.max(0, lost) / 500)
  )
}
