import { asRecord, oneLine, showDocument } from './document-text.ts'
import { type JobKindName, jobKinds } from './job-kinds.ts'
import type { ToolAnswer, ToolCall } from './tool.ts'
import { showValues } from './values-text.ts'
import { isUnderWay, watchJob } from './watch-job.ts'

export interface JobReading {
  kind: JobKindName
  id: string
  seconds: number
  skip: number
  limit: number
  most: number
}

/** How a job stands after the wait, and a part of its pages or its values. */
export async function showJob(tool: ToolCall<unknown>, reading: JobReading): Promise<ToolAnswer> {
  const { kind, id, seconds, most } = reading
  const { read, hasPages } = jobKinds[kind]
  if (hasPages) {
    if (seconds > 0) await watchJob(tool, { read, id, seconds, query: { limit: '1' } })
    return showPages(tool, reading)
  }
  const status = await watchJob(tool, { read, id, seconds })
  const { structured, ...shown } = await showValues(status, { most, fence: tool.fence })
  const facts = `${kind} ${id}: ${status.status}`
  const note = isUnderWay(status) ? [readOn({ id, kind, waitSeconds: 30 })] : []
  return { ...shown, text: [facts, shown.text, ...note].join('\n'), structured: { id, kind, ...structured } }
}

async function showPages({ call, fence }: ToolCall<unknown>, reading: JobReading): Promise<ToolAnswer> {
  const { kind, id, skip, limit, most } = reading
  const query = { skip: String(skip), limit: String(limit) }
  const status = asRecord(await call(jobKinds[kind].read, { params: { id }, query }))
  const pages: unknown[] = Array.isArray(status.data) ? status.data : []
  const shown: string[] = []
  let left = most
  for (const [index, page] of pages.entries()) {
    if (left <= 0) break
    const { text, shown: used } = await showDocument(page, { most: left, fence })
    shown.push(`Page ${skip + index}\n${text}`)
    left -= used + 200
  }
  return {
    text: [...factsOf(reading, status), ...shown, ...notesOf(reading, status, shown.length)].join('\n\n'),
  }
}

function factsOf({ kind, id }: JobReading, status: Record<string, unknown>): string[] {
  const { completed, total, creditsUsed, error, warning } = status
  return [
    `${kind} ${id}: ${status.status}, ${completed} of ${total} pages, ${creditsUsed} credits`,
    ...(error === undefined ? [] : [`Error: ${oneLine(error, 2000)}`]),
    ...(warning === undefined ? [] : [`Warning: ${oneLine(warning, 2000)}`]),
  ]
}

function notesOf({ kind, id, skip }: JobReading, status: Record<string, unknown>, shown: number): string[] {
  const next = skip + shown
  if (next < Number(status.completed)) return [readOn({ id, kind, skip: next })]
  if (isUnderWay(status)) return [readOn({ id, kind, skip: next, waitSeconds: 30 })]
  return []
}

function readOn(input: object): string {
  return `To read on, call job_status with ${JSON.stringify(input)}.`
}
