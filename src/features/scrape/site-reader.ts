import type { SiteLinks } from '../../content/site/site-links.ts'
import { isFinal } from '../../fetch/fetch-outcome.ts'
import { type FetchDeps, type FetchResult, fetchPage } from '../../fetch/fetch-page.ts'
import type { FetchPlan } from '../../fetch/fetch-plan.ts'
import type { HttpClient, HttpResponse } from '../../fetch/network/client.ts'
import { startDeadline } from '../../platform/deadline.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { noTrace } from '../../platform/trace/trace.ts'
import { hashRoute, pathTemplate } from '../../platform/url.ts'
import type { Deps } from '../needs.ts'
import { browserHeaders } from './browser-headers.ts'
import { planScrape } from './plan.ts'
import { type ScrapeRequest, scrapeRequest } from './schema.ts'

const timeoutMs = 30_000
const maxFileBytes = 64 * 1024 * 1024

export type LinkDeps = Pick<Deps, 'fetching' | 'memoryPermits' | 'bounds'>

type LinkedPage = SiteLinks & { url: string }

export function createLinkReader(
  { fetching, bounds, memoryPermits }: LinkDeps,
  options: { teamId: string } & Pick<ScrapeRequest, 'headers' | 'location'>,
) {
  const { teamId, ...requestOptions } = options
  const hasBrowser = fetching.engines.some(({ name }) => name === 'chromium')
  const fruitlessBrowserFetches = new Map<string, number>()
  const jobId = newId()
  return async (url: URL, signal: AbortSignal): Promise<LinkedPage | undefined> => {
    const { fetch } = planScrape(
      scrapeRequest.parse({ ...requestOptions, url: url.href, formats: [] }),
      teamId,
    )
    const deadline = startDeadline(timeoutMs, 'SCRAPE_TIMEOUT', signal)
    return memoryPermits({ team: teamId }, async (permit) => {
      const plan = {
        ...fetch,
        requestedParts: { siteLinks: true as const },
        maxBytes: bounds.page,
        isBackground: false,
        ...{ permit, jobId, trace: noTrace },
      }
      const read = async (changes: Partial<FetchPlan>) =>
        toLinkedPage(await fetchPage(fetching, { ...plan, ...changes }, deadline))
      if (!hasBrowser) return (await read({}))?.page
      if (hashRoute(url) !== undefined) return (await read({ browserReason: 'a hash route' }))?.page
      const plain = await read({ mayUseBrowser: false }).catch(ignoreUnlessFinal)
      const template = pathTemplate(url)
      const fruitlessCount = fruitlessBrowserFetches.get(template) ?? 0
      if (plain && (!isMissingLinks(plain) || fruitlessCount >= maxFruitlessFetches)) return plain.page
      const rendered = await read({ browserReason: 'links' }).catch((thrown) => {
        if (!plain) throw thrown
        return undefined
      })
      if (plain && rendered)
        fruitlessBrowserFetches.set(template, hasMore(rendered.page, plain.page) ? 0 : fruitlessCount + 1)
      return rendered?.page ?? plain?.page
    })
  }
}

const maxFruitlessFetches = 2

const toLinkedPage = ({ page, parts, rejection }: FetchResult) =>
  parts && { page: { ...parts.siteLinks(), url: page.url }, rejection }

/** Rethrows final errors and timeouts. Other errors are ignored, because a browser may succeed. */
function ignoreUnlessFinal(thrown: unknown): undefined {
  if (
    !(thrown instanceof AppError) ||
    thrown.code === 'SCRAPE_TIMEOUT' ||
    isFinal(thrown, { upstream: undefined })
  )
    throw thrown
}

/** An uncertain rejection is ignored if the page links to its own host. */
function isMissingLinks({ page, rejection }: NonNullable<ReturnType<typeof toLinkedPage>>): boolean {
  if (!rejection) return false
  return rejection.kind === 'blocked' || rejection.isCertain || sameHostLinks(page).length === 0
}

function hasMore(rendered: LinkedPage, plain: LinkedPage): boolean {
  const plainUrls = new Set(sameHostLinks(plain))
  return sameHostLinks(rendered).some((url) => !plainUrls.has(url))
}

function sameHostLinks({ links, url }: LinkedPage): string[] {
  const { host } = new URL(url)
  return links.flatMap((link) => (link.url !== url && URL.parse(link.url)?.host === host ? [link.url] : []))
}

export function createFileGetter(fetching: FetchDeps, client: HttpClient) {
  return (teamId: string, url: URL, signal: AbortSignal): Promise<HttpResponse> => {
    const plan = planScrape(scrapeRequest.parse({ url: url.href }), teamId)
    return client.get(
      {
        // These requests carry no credentials of a caller, so all jobs of the team may share their connections.
        owner: { team: teamId, job: 'site files' },
        url,
        headers: browserHeaders(),
        callerHeaders: {},
        verifyTls: false,
        bound: () => ({ bound: 'the largest file of a site', bytes: maxFileBytes }),
        upstream: fetching.tiers(plan.fetch).basic.upstream,
      },
      AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    )
  }
}
