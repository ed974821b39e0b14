import type { RunningJob } from '../../jobs/job.ts'
import type { PageReader } from '../../page-threads/page-reader.ts'

export interface GatherNeeds {
  reader: Pick<PageReader, 'schema' | 'storedPage' | 'merge'>
}

/** Work on schemas and on what pages say, done in worker threads on behalf of the team of a job. */
export function gatherWork(
  { reader }: GatherNeeds,
  { teamId: team, isBackground }: Pick<RunningJob<unknown>, 'teamId' | 'isBackground'>,
  signal: AbortSignal,
) {
  const asked = { who: { team, isBackground }, signal }
  return {
    schema: (schema: unknown) => reader.schema(schema, asked),
    storedPage: (document: Uint8Array, url: string) => reader.storedPage(document, url, asked),
    merge: (schema: unknown, pages: Uint8Array[]) => reader.merge(schema, pages, asked),
  }
}

export type GatherWork = ReturnType<typeof gatherWork>
