import type {
  ListResourcesResult,
  ReadResourceResult,
  ResourceTemplateType,
} from '@modelcontextprotocol/server'
import { AppError } from '../base/errors.ts'
import { getActivity } from '../http/endpoints/activity.ts'
import { asRecord, oneLine, showDocument } from './document-text.ts'
import { type JobKindName, jobKindNames } from './job-kinds.ts'
import { showJob } from './job-text.ts'
import { type ToolCall, usualCharacters } from './tool.ts'
import { storedDocument } from './tools/read-result.ts'

export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate: 'winnow://scrapes/{id}{?field,offset}',
    name: 'scrape',
    title: 'A page or a file that was read',
    description: 'The result of a scrape or a parse. field is markdown when not given; offset reads on.',
    mimeType: 'text/markdown',
  },
  ...jobKindNames.map((kind) => ({
    uriTemplate: kind === 'extract' ? `winnow://${kind}/{id}` : `winnow://${kind}/{id}{?skip}`,
    name: kind,
    title: `How a job of the kind ${kind} stands, and what it has`,
    description: kind === 'extract' ? 'Its values.' : 'Its pages, in order; skip reads on.',
    mimeType: 'text/markdown',
  })),
]

/** What the activity calls the kinds that can be read again. */
const folders: Record<string, string> = {
  scrape: 'scrapes',
  parse: 'scrapes',
  crawl: 'crawl',
  batch_scrape: 'batch',
  extract: 'extract',
}

/** The results of the last day, newest first. */
export async function listResources(
  call: ToolCall<unknown>['call'],
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const query = { state: 'completed', ...(cursor === undefined ? {} : { cursor }) }
  const answer = asRecord(await call(getActivity, { query }))
  const entries: unknown[] = Array.isArray(answer.data) ? answer.data : []
  const resources = entries.map(asRecord).flatMap((entry) => {
    const folder = folders[String(entry.endpoint)]
    if (folder === undefined) return []
    const name = oneLine(entry.target ?? entry.id, 200)
    const description = `${entry.endpoint} of ${entry.created_at}`
    return [{ uri: `winnow://${folder}/${entry.id}`, name, description, mimeType: 'text/markdown' }]
  })
  return { resources, ...(typeof answer.cursor === 'string' ? { nextCursor: answer.cursor } : {}) }
}

/** Text of strangers is marked here as it is in the answer of a tool. */
export async function readResource(tool: ToolCall<unknown>, uri: string): Promise<ReadResourceResult> {
  const { folder, id, query } = partsOf(uri)
  const text = await textOf(tool, folder, { id, query })
  return { contents: [{ uri, mimeType: 'text/markdown', text }] }
}

async function textOf(
  tool: ToolCall<unknown>,
  folder: string,
  { id, query }: { id: string; query: URLSearchParams },
): Promise<string> {
  const most = usualCharacters
  if (folder === 'scrapes') {
    const from = { field: query.get('field') ?? 'markdown', offset: countOf(query.get('offset')) }
    const document = await storedDocument(tool.call, id)
    return (await showDocument(document, { most, fence: tool.fence, from })).text
  }
  const kind = jobKindNames.find((name) => name === folder) as JobKindName
  const skip = countOf(query.get('skip'))
  return (await showJob(tool, { kind, id, seconds: 0, skip, limit: 20, most })).text
}

function partsOf(uri: string): { folder: string; id: string; query: URLSearchParams } {
  const url = URL.parse(uri)
  const folder = url?.protocol === 'winnow:' ? url.hostname : ''
  const id = url?.pathname.slice(1) ?? ''
  if (url && id !== '' && (folder === 'scrapes' || jobKindNames.some((name) => name === folder)))
    return { folder, id, query: url.searchParams }
  const known = resourceTemplates.map(({ uriTemplate }) => uriTemplate).join(', ')
  throw new AppError(
    'BAD_REQUEST',
    { details: [] },
    { message: `There is no such resource. There is ${known}.` },
  )
}

function countOf(text: string | null): number {
  const count = Number(text ?? 0)
  return Number.isSafeInteger(count) && count >= 0 ? count : 0
}
