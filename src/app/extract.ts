import type { Team } from '../accounts/team.ts'
import type { ExtractRequest } from '../features/extract/schema.ts'
import { startExtract } from '../features/extract/start.ts'
import { readExtract } from '../features/extract/status.ts'
import { pageRequest } from '../features/gather/page-request.ts'
import { refuseForChildren } from '../features/parent-job.ts'
import { refuseImpossible } from '../features/scrape/plan.ts'
import { mostPrice } from '../features/scrape/price.ts'
import { checkReceiver } from '../webhooks/check-receiver.ts'
import type { Bound } from './needs.ts'

type ExtractBound = Pick<
  Bound,
  'store' | 'blobs' | 'clock' | 'guard' | 'hasEnhancedProxy' | 'kinds' | 'queue' | 'models' | 'retentionHours'
>

export function extractUseCases(bound: ExtractBound) {
  return {
    async startExtract(team: Team, request: ExtractRequest, idempotencyKey: string | undefined) {
      const page = pageRequest(request, { url: 'https://example.com/', schema: {} })
      refuseImpossible(page)
      refuseForChildren({ zeroDataRetention: false }, page)
      await checkReceiver(bound.guard, request.webhook)
      const price = mostPrice(page, bound.hasEnhancedProxy)
      const needs = { ...bound, find: bound.kinds.extractFind, hasModel: bound.models(team.id) !== undefined }
      return startExtract(needs, team, { request, price, idempotencyKey })
    },
    async extractStatus(team: Team, id: string) {
      return readExtract(bound, await bound.queue.findOwn(team, id, 'extract'))
    },
    async cancelExtract(team: Team, id: string) {
      await bound.queue.cancel(await bound.queue.findOwn(team, id, 'extract'))
    },
  }
}
