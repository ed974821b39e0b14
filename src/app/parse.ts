import type { Team } from '../accounts/team.ts'
import { AppError } from '../base/errors.ts'
import {
  mostParsePrice,
  type ParsedDocument,
  type ParseOptions,
  refuseForFiles,
  type SentFile,
} from '../features/parse.ts'
import type { Bound } from './needs.ts'
import { storedResult } from './stored-result.ts'

export function parseUseCases({
  clock,
  kinds,
  runNow,
  queue,
}: Pick<Bound, 'clock' | 'kinds' | 'runNow' | 'queue'>) {
  return {
    parse(team: Team, file: SentFile, options: ParseOptions, signal: AbortSignal): Promise<ParsedDocument> {
      if (options.zeroDataRetention && !team.zeroRetention) throw new AppError('ZERO_RETENTION_NOT_ENABLED')
      refuseForFiles(options)
      const order = {
        team,
        input: { file, options },
        target: file.name,
        origin: options.origin,
        retain: !options.zeroDataRetention,
        deadlineAt: clock.now() + options.timeout,
        price: mostParsePrice(options),
      }
      return runNow(kinds.parse, order, { timeoutMs: options.timeout, signal })
    },

    parseResult: (team: Team, id: string) => storedResult(queue, team, { id, kind: 'parse' }),
  }
}
