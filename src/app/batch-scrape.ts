import type { Team } from '../accounts/team.ts'
import { type BatchScrapeRequest, startBatchScrape } from '../features/batch-scrape.ts'
import { childErrors, refuseForChildren } from '../features/parent-job.ts'
import { refuseImpossible } from '../features/scrape/plan.ts'
import { mostPrice } from '../features/scrape/price.ts'
import { checkReceiver } from '../webhooks/check-receiver.ts'
import type { Bound } from './needs.ts'

type BatchBound = Pick<Bound, 'store' | 'clock' | 'guard' | 'hasEnhancedProxy' | 'kinds' | 'queue'>

export function batchScrapeUseCases(bound: BatchBound) {
  const batch = { ...bound, scrape: bound.kinds.scrape }
  return {
    async startBatchScrape(team: Team, request: BatchScrapeRequest, idempotencyKey: string | undefined) {
      refuseImpossible(request)
      refuseForChildren(request, request)
      await checkReceiver(bound.guard, request.webhook)
      const price = mostPrice(request, bound.hasEnhancedProxy)
      return startBatchScrape(batch, team, { request, idempotencyKey, price })
    },
    async batchScrapeErrors(team: Team, id: string) {
      return childErrors(bound, await bound.queue.find(team, id, 'batch_scrape'))
    },
  }
}
