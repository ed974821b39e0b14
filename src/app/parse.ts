import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Team } from '../accounts/team.ts'
import { AppError } from '../base/errors.ts'
import type { JsonText } from '../base/json-text.ts'
import { mostParsePrice, type ParsedDocument, type ParseInput, refuseForFiles } from '../features/parse.ts'
import type { Bound, WaitingCaller } from './needs.ts'
import { storedResult } from './stored-result.ts'

export function parseUseCases({
  clock,
  kinds,
  runOnce,
  queue,
}: Pick<Bound, 'clock' | 'kinds' | 'runOnce' | 'queue'>) {
  return {
    async parse(
      team: Team,
      { file, options }: ParseInput,
      caller: WaitingCaller,
    ): Promise<ParsedDocument | JsonText> {
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
      // The path of the upload is another one in each call.
      const hash = caller.idempotencyKey === undefined ? undefined : await hashOf(file.path)
      const identity = [file.name, file.mediaType, hash, options]
      return runOnce(kinds.parse, order, { timeoutMs: options.timeout, ...caller, identity })
    },

    parseResult: (team: Team, id: string) => storedResult(queue, team, { id, kind: 'parse' }),
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
