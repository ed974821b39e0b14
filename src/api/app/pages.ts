import type { Team } from '../../accounts/team.ts'
import { checkPatterns } from '../../features/discover/patterns.ts'
import { type MapRequest, type MapResult, mapTime } from '../../features/map.ts'
import {
  assertFilesAllowed,
  hashFile,
  maxParsePrice,
  type ParsedDocument,
  type ParseInput,
} from '../../features/parse.ts'
import { canRetain, maxPrice, throwIfImpossible } from '../../features/scrape/plan.ts'
import type { Document, ScrapeRequest } from '../../features/scrape/schema.ts'
import { toValue } from '../../jobs/run-once.ts'
import { AppError } from '../../platform/errors.ts'
import type { JsonText } from '../../platform/json/json.ts'
import type { UseCaseDeps, WaitingCaller } from './needs.ts'

export function pageUseCases({ clock, hasEnhancedProxy, kinds, runOnce, queue }: UseCaseDeps) {
  return {
    scrape(team: Team, request: ScrapeRequest, caller: WaitingCaller): Promise<Document | JsonText> {
      if (request.zeroDataRetention && !team.zeroRetention) throw new AppError('ZERO_RETENTION_NOT_ENABLED')
      throwIfImpossible(request)
      const jobRequest = {
        team,
        input: request,
        target: request.url,
        origin: request.origin,
        retain: canRetain(request),
        deadlineAt: clock.now() + request.timeout,
        price: maxPrice(request, hasEnhancedProxy),
      }
      return runOnce(kinds.scrape, jobRequest, { timeoutMs: request.timeout, ...caller })
    },

    scrapeResult: (team: Team, id: string) => queue.answerOf(team, id, 'scrape'),

    async map(team: Team, request: MapRequest, caller: WaitingCaller): Promise<MapResult> {
      await checkPatterns(request)
      const timeoutMs = mapTime(request)
      const jobRequest = {
        team,
        input: request,
        target: request.url,
        origin: request.origin,
        retain: true,
        deadlineAt: clock.now() + timeoutMs,
        price: 1,
      }
      return toValue(await runOnce(kinds.map, jobRequest, { timeoutMs, ...caller }))
    },

    async parse(
      team: Team,
      { file, options }: ParseInput,
      caller: WaitingCaller,
    ): Promise<ParsedDocument | JsonText> {
      if (options.zeroDataRetention && !team.zeroRetention) throw new AppError('ZERO_RETENTION_NOT_ENABLED')
      assertFilesAllowed(options)
      const jobRequest = {
        team,
        input: { file, options },
        target: file.name,
        origin: options.origin,
        retain: !options.zeroDataRetention,
        deadlineAt: clock.now() + options.timeout,
        price: maxParsePrice(options),
      }
      // The hash identifies the upload, because its path differs in each call.
      const hash = caller.idempotencyKey === undefined ? undefined : await hashFile(file)
      const identity = [file.name, file.mediaType, hash, options]
      return runOnce(kinds.parse, jobRequest, { timeoutMs: options.timeout, ...caller, identity })
    },

    parseResult: (team: Team, id: string) => queue.answerOf(team, id, 'parse'),
  }
}
