import type { ReadingNeeds } from '../gather/read-pages.ts'
import { mergedOf } from './status.ts'

/** What a receiver gets at the end of an extract. */
export async function extractEvent(needs: ReadingNeeds, extractId: string) {
  const result = await mergedOf(needs, extractId)
  return {
    ...{ success: result !== undefined, extractId, data: result?.data ?? {} },
    ...{ totalUrlsScraped: result?.pages ?? 0, sources: result?.sources ?? {} },
  }
}
