import type { Team } from '../accounts/team.ts'
import { activeCrawls, type CrawlNeeds, startCrawl } from '../features/crawl/crawl.ts'
import { crawlErrors } from '../features/crawl/errors.ts'
import { type CrawlOptions, decideOptions } from '../features/crawl/options.ts'
import { type Preview, previewCrawl, seenPaths } from '../features/crawl/preview.ts'
import type { CrawlRequest } from '../features/crawl/schema.ts'
import { checkPatterns } from '../features/discover/patterns.ts'
import { refuseForChildren } from '../features/parent-job.ts'
import { refuseImpossible } from '../features/scrape/plan.ts'
import { mostPrice } from '../features/scrape/price.ts'
import { checkReceiver } from '../webhooks/check-receiver.ts'
import type { Bound } from './needs.ts'

export type CrawlBound = Pick<
  Bound,
  'store' | 'clock' | 'queue' | 'retentionHours' | 'kinds' | 'hasEnhancedProxy' | 'reader'
>

interface StartedCrawl {
  id: string
  /** The result of a prompt. */
  prompted: Preview | undefined
  options: CrawlOptions
}

export function crawlUseCases(bound: CrawlBound & Pick<Bound, 'guard'>) {
  const crawl = crawlNeeds(bound)
  const preview = previewer(bound)
  return {
    async startCrawl(
      team: Team,
      request: CrawlRequest,
      how: { idempotencyKey: string | undefined; signal: AbortSignal },
    ): Promise<StartedCrawl> {
      refuseImpossible(request.scrapeOptions)
      refuseForChildren(request, request.scrapeOptions)
      await checkPatterns(request)
      await checkReceiver(bound.guard, request.webhook)
      const { prompt, url } = request
      const prompted = prompt === undefined ? undefined : await preview(team, { url, prompt }, how.signal)
      const options = decideOptions(request, prompted?.options ?? {})
      const price = mostPrice({ ...options.scrapeOptions, zeroDataRetention: false }, bound.hasEnhancedProxy)
      const id = await startCrawl(crawl, team, {
        request,
        options,
        price,
        idempotencyKey: how.idempotencyKey,
      })
      return { id, prompted, options }
    },
    async crawlErrors(team: Team, id: string) {
      return crawlErrors(crawl, await bound.queue.find(team, id, 'crawl'))
    },
    activeCrawls: (team: Team) => activeCrawls(crawl, team),
    previewCrawl: preview,
  }
}

export function crawlNeeds(bound: CrawlBound): CrawlNeeds {
  return { ...bound, startKind: bound.kinds.crawlStart }
}

/** A prompt → crawl options, after a short exploration of the site on behalf of the team. */
function previewer({ kinds, reader }: Pick<Bound, 'kinds' | 'reader'>) {
  return (team: Team, request: { url: string; prompt: string }, signal: AbortSignal) => {
    const discovering = () => kinds.discovering(team.id, { headers: {}, location: undefined })
    return previewCrawl(
      {
        seenPaths: (start) => seenPaths(discovering(), { teamId: team.id, start }, signal),
        readPrompt: (prompt, paths) => reader.prompt(prompt, paths, { who: { team: team.id }, signal }),
      },
      request,
    )
  }
}
