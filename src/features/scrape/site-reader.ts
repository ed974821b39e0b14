import type { SiteLinks } from '../../content/site/site-links.ts'
import { isFinal } from '../../fetch/fetch-outcome.ts'
import { type FetchDeps, type Fetched, fetchPage, type PageRejection } from '../../fetch/fetch-page.ts'
import type { FetchPlan, PageBounds } from '../../fetch/fetch-plan.ts'
import type { HttpAnswer, HttpClient } from '../../fetch/network/client.ts'
import { startDeadline } from '../../platform/deadline.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { noTrace } from '../../platform/trace/trace.ts'
import { hashRoute, pathTemplate } from '../../platform/url.ts'
import type { Deps } from '../needs.ts'
import { browserHeaders } from './browser-headers.ts'
import { planScrape } from './plan.ts'
import { type ScrapeRequest, scrapeRequest } from './schema.ts'

const timeout = 30_000
const largestFile = 64 * 1024 * 1024

export interface LinkDeps extends Pick<Deps, 'fetching' | 'rooms'> {
  bounds: { page: PageBounds }
}

type LinkedPage = SiteLinks & { url: string }

/**
 * Reads pages for their links alone: by plain HTTP, and in a browser where links are missing without one. Where a browser brought no
 * link more for pages alike, it is not asked again.
 */
export function createLinkReader(
  { fetching, bounds, rooms }: LinkDeps,
  options: { teamId: string } & Pick<ScrapeRequest, 'headers' | 'location'>,
) {
  const { teamId, ...given } = options
  const hasBrowser = fetching.engines.some(({ name }) => name === 'chromium')
  const drawnInVain = new Map<string, number>()
  const jobId = newId()
  return async (url: URL, signal: AbortSignal): Promise<LinkedPage | undefined> => {
    const { fetch } = planScrape(scrapeRequest.parse({ ...given, url: url.href, formats: [] }), teamId)
    const deadline = startDeadline(timeout, 'SCRAPE_TIMEOUT', signal)
    return rooms({ team: teamId }, async (room) => {
      const plan = {
        ...fetch,
        wishes: { siteLinks: true as const },
        maxBytes: bounds.page,
        isBackground: false,
        ...{ room, jobId, trace: noTrace },
      }
      const read = async (changes: Partial<FetchPlan>) =>
        linked(await fetchPage(fetching, { ...plan, ...changes }, deadline))
      if (!hasBrowser) return (await read({}))?.page
      if (hashRoute(url) !== undefined) return (await read({ browserReason: 'a hash route' }))?.page
      const plain = await read({ mayUseBrowser: false }).catch(unlessFinal)
      const template = pathTemplate(url)
      const inVain = drawnInVain.get(template) ?? 0
      if (plain && (!isMissingLinks(plain) || inVain >= maxFailedInRow)) return plain.page
      const drawn = await read({ browserReason: 'links' }).catch((thrown) => {
        // What came without a browser is better than nothing.
        if (!plain) throw thrown
        return undefined
      })
      if (plain && drawn) drawnInVain.set(template, hasMore(drawn.page, plain.page) ? 0 : inVain + 1)
      return drawn?.page ?? plain?.page
    })
  }
}

/** Most times that a browser is asked in vain for pages of one template. */
const maxFailedInRow = 2

interface Linked {
  page: LinkedPage
  lack: PageRejection | undefined
}

function linked({ page, parts, lack }: Fetched): Linked | undefined {
  return parts && { page: { ...parts.siteLinks(), url: page.url }, lack }
}

/** What a browser may do better is not the end. */
function unlessFinal(thrown: unknown): undefined {
  if (
    !(thrown instanceof AppError) ||
    thrown.code === 'SCRAPE_TIMEOUT' ||
    isFinal(thrown, { upstream: undefined })
  )
    throw thrown
}

/** A page that seems to lack something leads on all the same, if it has links and no doubt is left that they are its own. */
function isMissingLinks({ page, lack }: Linked): boolean {
  if (!lack) return false
  return lack.kind === 'blocked' || lack.isSure || ownLinks(page).length === 0
}

function hasMore(drawn: LinkedPage, plain: LinkedPage): boolean {
  const known = new Set(ownLinks(plain))
  return ownLinks(drawn).some((url) => !known.has(url))
}

/** Links to other pages of the same host. */
function ownLinks({ links, url }: LinkedPage): string[] {
  const { host } = new URL(url)
  return links.flatMap((link) => (link.url !== url && URL.parse(link.url)?.host === host ? [link.url] : []))
}

/** Gets files that sites put up for machines: by plain HTTP, on the basic tier. */
export function createFileGetter(fetching: FetchDeps, client: HttpClient) {
  return (teamId: string, url: URL, signal: AbortSignal): Promise<HttpAnswer> => {
    const plan = planScrape(scrapeRequest.parse({ url: url.href }), teamId)
    return client.get(
      {
        // These requests have no credentials of a caller, so all jobs of the team may share their connections.
        owner: { team: teamId, job: 'site files' },
        url,
        headers: browserHeaders(),
        callerHeaders: {},
        verifyTls: false,
        bound: () => ({ bound: 'the largest file of a site', bytes: largestFile }),
        upstream: fetching.tiers(plan.fetch).basic.upstream,
      },
      AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    )
  }
}
