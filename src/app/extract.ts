import type { Team } from '../accounts/team.ts'
import { AppError } from '../base/errors.ts'
import { agentAsExtract } from '../features/agent/as-extract.ts'
import type { ExtractRequest } from '../features/extract/schema.ts'
import { startExtract } from '../features/extract/start.ts'
import { readExtract } from '../features/extract/status.ts'
import { pageRequest } from '../features/gather/page-request.ts'
import { refuseForChildren } from '../features/parent-job.ts'
import { refuseImpossible } from '../features/scrape/plan.ts'
import { mostPrice } from '../features/scrape/price.ts'
import type { Queue } from '../jobs/queue.ts'
import type { JobRow } from '../store/jobs.ts'
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
      const row = await findAny(bound.queue, team, id)
      return row.kind === 'agent' ? agentAsExtract(bound, row) : readExtract(bound, row)
    },
    async cancelExtract(team: Team, id: string) {
      await bound.queue.cancel(await bound.queue.findOwn(team, id, 'extract'))
    },
  }
}

/** An agent is read where an extract is, too: the list of activity sends its readers there. */
function findAny(queue: Queue, team: Team, id: string): Promise<JobRow> {
  return queue.findOwn(team, id, 'extract').catch((thrown) => {
    if (thrown instanceof AppError && thrown.code === 'JOB_NOT_FOUND') return queue.findOwn(team, id, 'agent')
    throw thrown
  })
}
