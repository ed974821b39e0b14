import { AppError, type ErrorCode, toAppError } from '../../base/errors.ts'
import { rankPassages } from '../../search/passages/top-passages.ts'
import type { Document } from '../scrape/schema.ts'
import type { PaperAnswer } from './research-schema.ts'

const usualPassages = 4
/** They say what to do about the call, whatever was to be scraped. */
const ofTheCall: ErrorCode[] = [
  ...(['CREDITS_EXHAUSTED', 'CONCURRENCY_QUEUE_TIMEOUT', 'SCRAPE_TIMEOUT', 'SCRAPE_JOB_CANCELLED'] as const),
  ...(['STORE_UNAVAILABLE', 'TEMPORARY_FOLDER_FULL', 'STOPPING', 'CALL_INTERRUPTED', 'INTERNAL'] as const),
  'IDEMPOTENCY_KEY_REUSED',
]

/** Catalogues have abstracts; the text of a paper is on its own page. */
export async function readPaper(
  scrape: (url: string) => Promise<Document>,
  { paper, ...found }: PaperAnswer,
  { query, k = usualPassages }: { query: string; k?: number | undefined },
): Promise<PaperAnswer> {
  const url = paper.pdfUrl ?? paper.url
  const { markdown = '' } = await scrape(url).catch((thrown) => {
    throw unreadable(toAppError(thrown), url)
  })
  const passages = rankPassages(markdown, query).slice(0, k)
  return {
    ...found,
    ...{ paper, paperId: paper.paperId, query },
    passages: passages.map(({ text, score }) => ({ text, score })),
  }
}

function unreadable(error: AppError, url: string): AppError {
  if (ofTheCall.includes(error.code)) return error
  const message = `The text of the paper could not be read at ${url}: ${error.message} Without query, its abstract is returned.`
  return new AppError('PAPER_UNREADABLE', { url, reason: error.code }, { message, cause: error })
}
