import { z } from 'zod'
import type { ParentKind } from '../../app.ts'
import { downloadFormats } from '../../features/download/download.ts'
import { type Call, defineEndpoint, jobId } from '../endpoint.ts'
import { Streamed } from '../streamed.ts'

const contentTypes = {
  jsonl: 'application/jsonl; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  zip: 'application/zip',
} satisfies Record<(typeof downloadFormats)[number], string>

const query = z.object({
  format: z
    .enum(downloadFormats)
    .default('jsonl')
    .describe(
      'jsonl: one document per line, as they are; csv: one row per page; zip: one Markdown file per page, named by its address.',
    ),
})

const shared = {
  method: 'GET' as const,
  params: jobId,
  query,
  response: z.never(),
  streams: {
    types: Object.values(contentTypes).map((type) => type.replace(/;.*/, '')),
    description:
      'The documents that are there, in the order in which they were scraped. Cells of a table that begin like a formula begin with an apostrophe. Markdown files begin with the metadata of the page as YAML.',
  },
  errors: ['INVALID_JOB_ID' as const, 'JOB_NOT_FOUND' as const, 'OPTION_NOT_AVAILABLE' as const],
}

type DownloadCall = Pick<
  Call<{ id: string }, z.output<typeof query>, unknown>,
  'app' | 'team' | 'params' | 'query' | 'signal' | 'stopping'
>

async function answer(kind: ParentKind, call: DownloadCall): Promise<Streamed> {
  const { app, team, params, stopping } = call
  const { format } = call.query
  const signal = AbortSignal.any([call.signal(), stopping])
  const { id, chunks } = await app.downloadParent(team, { id: params.id, kind }, { format, signal })
  const name = `${kind === 'crawl' ? 'crawl' : 'batch'}-${id}.${format}`
  return new Streamed(
    { 'content-type': contentTypes[format], 'content-disposition': `attachment; filename="${name}"` },
    chunks,
  )
}

export const getCrawlDownload = defineEndpoint({
  ...shared,
  path: '/v2/crawl/{id}/download',
  summary: 'Download the documents of a crawl as one file',
  tag: 'Crawl',
  handle: (call) => answer('crawl', call),
})

export const getBatchScrapeDownload = defineEndpoint({
  ...shared,
  path: '/v2/batch/scrape/{id}/download',
  summary: 'Download the documents of a batch as one file',
  tag: 'Batch scrape',
  handle: (call) => answer('batch_scrape', call),
})
