import type { RunningJob } from '../../jobs/job.ts'
import type { SchemaFacts } from '../../page-threads/messages.ts'
import type { PageReader } from '../../page-threads/page-reader.ts'

export interface SchemaNeeds {
  reader: Pick<PageReader, 'schema'>
}

/** Reads a schema in a worker thread, on behalf of the team of a job. */
export function schemaFacts(
  { reader }: SchemaNeeds,
  { teamId: team, isBackground }: Pick<RunningJob<unknown>, 'teamId' | 'isBackground'>,
  { schema, signal }: { schema: unknown; signal: AbortSignal },
): Promise<SchemaFacts> {
  return reader.schema(schema, { who: { team, isBackground }, signal })
}
