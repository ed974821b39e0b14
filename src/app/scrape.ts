import type { Team } from '../accounts/team.ts'
import { AppError } from '../base/errors.ts'
import type { JsonText } from '../base/json-text.ts'
import { mayRetain, refuseImpossible } from '../features/scrape/plan.ts'
import { mostPrice } from '../features/scrape/price.ts'
import type { Document, ScrapeRequest } from '../features/scrape/schema.ts'
import type { Bound, WaitingCaller } from './needs.ts'
import { storedResult } from './stored-result.ts'

export function scrapeUseCases({
  clock,
  hasEnhancedProxy,
  kinds,
  runOnce,
  queue,
}: Pick<Bound, 'clock' | 'hasEnhancedProxy' | 'kinds' | 'runOnce' | 'queue'>) {
  return {
    scrape(team: Team, request: ScrapeRequest, caller: WaitingCaller): Promise<Document | JsonText> {
      if (request.zeroDataRetention && !team.zeroRetention) throw new AppError('ZERO_RETENTION_NOT_ENABLED')
      refuseImpossible(request)
      const order = {
        team,
        input: request,
        target: request.url,
        origin: request.origin,
        retain: mayRetain(request),
        deadlineAt: clock.now() + request.timeout,
        price: mostPrice(request, hasEnhancedProxy),
      }
      return runOnce(kinds.scrape, order, { timeoutMs: request.timeout, ...caller })
    },

    scrapeResult: (team: Team, id: string) => storedResult(queue, team, { id, kind: 'scrape' }),
  }
}
