import type { JobTrace } from '../job-trace.ts'
import { type CaseReaders, namedIn } from './read-case.ts'
import { lastStep, minMarkdownLength } from './support-case.ts'

export type RecentJob = Awaited<ReturnType<CaseReaders['recentJobs']>>[number]

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

export function chooseJob(words: string, jobs: readonly RecentJob[], now: number): RecentJob | undefined {
  const question = words.toLowerCase()
  const kinds = kindWords.filter(([, pattern]) => pattern.test(words)).map(([kind]) => kind)
  const scored = jobs.map((job, index) => ({ job, score: scoreOf(job, { question, kinds, index, now }) }))
  const best = scored.sort((left, right) => right.score - left.score)[0]
  // A question that contains a URL is about this URL, even without a problem.
  const minScore = problemWords.test(words) ? 2 : 3
  return best && best.score >= minScore ? best.job : undefined
}

function scoreOf(
  job: RecentJob,
  { question, kinds, index, now }: { question: string; kinds: string[]; index: number; now: number },
): number {
  const host = URL.parse(job.target ?? '')?.host
  const containsTarget = job.target && question.includes(job.target.toLowerCase())
  // If the question contains another page of the host, it is probably not about this job.
  const hostEnd = host && question.includes(host) ? question.indexOf(host) + host.length : undefined
  const namesOtherPage = /^\/[^\s"'),.?]/.test(question.slice(hostEnd))
  const hostScore = hostEnd === undefined ? 0 : namesOtherPage ? 1 : 3
  const isFailed = job.state === 'failed' ? 1.5 : 0
  const isFresh = now - job.createdAt < hourMs ? 0.7 : 0
  const isOfKind = kinds[0] === job.kind ? 1.5 : kinds.includes(job.kind) ? 0.8 : 0
  // Among equal scores, the newest job wins.
  return (containsTarget ? 6 : hostScore) + isFailed + isFresh + isOfKind - index / 1000
}

export function choosePage(
  words: string,
  { job, pages }: { job: JobTrace; pages: readonly JobTrace[] },
): JobTrace | undefined {
  const targets = pages.map(({ target }) => target ?? '')
  const named = namedIn(words, targets)
  const scored = pages.map((page, index) => {
    const bonus = named.has(page.target ?? '') ? 4 : 0
    // The start page of a crawl is often a list of links and not representative.
    const startPenalty = job.kind === 'crawl' && page.target === job.target ? 1.5 : 0
    return { page, score: problemScoreOf(page) - startPenalty - index / 1000 + bonus }
  })
  return scored.sort((left, right) => right.score - left.score)[0]?.page
}

function problemScoreOf(page: JobTrace): number {
  const read = lastStep({ page }, 'read')
  const write = lastStep({ page }, 'write')
  const verdict = lastStep({ page }, 'verdict')
  const status = lastStep({ page }, 'fetch')?.status ?? 200
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
