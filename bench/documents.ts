import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type RunningService, startService, temporaryFolder } from '../test/service.ts'
import { startSite } from '../test/site/site.ts'
import { atLeast, atMost, type Figure, figure, median } from './figure.ts'

/** Folder with manifest.json, files/, truth/ and score.mjs. These files may not be distributed with this repository. */
const folder = process.env.BENCH_DOCUMENTS
export const key = 'fc-bench-key'

interface Item {
  id: string
  file: string
  type: string
  split: string
  mode?: string
  truth?: string
  expectError?: string
  options?: object
}

interface ParseResult {
  ok: boolean
  status: number
  markdown: string
  error?: string
  code?: string
  pages?: number
  timeout?: boolean
  crash?: boolean
  ms: number
}

interface Row {
  id: string
  group: string
  s: Record<string, number>
  ms: number
  fail: boolean
  status: number
}

interface Scoring {
  scoreItem(item: Item, result: ParseResult, truth: string | null): Record<string, number>
  table(rows: Row[], columns: string[]): string
  COLS: string[]
}

/** Minimum score of each file type: more than the best single library that was measured before. */
const minScores: Record<string, number> = {
  pdf: 0.83,
  docx: 0.94,
  doc: 0.88,
  odt: 0.96,
  rtf: 0.9,
  xlsx: 0.96,
  xls: 0.98,
  pptx: 0.89,
  epub: 0.94,
  csv: 0.95,
  ocr: 0.6,
}

/** Measures the development files over HTTP: a table of scores, then hostile files while pages are scraped. */
export async function measure(): Promise<Figure[]> {
  if (folder === undefined) {
    return [{ name: 'BENCH_DOCUMENTS names no folder of documents', value: 'not measured' }]
  }
  // The scoring module is part of the document folder and has no types.
  const scoring = (await import(pathToFileURL(join(folder, 'score.mjs')).href)) as Scoring
  const items = listItems() ?? []
  const data = temporaryFolder()
  const service = await startService({
    DATA_DIR: data.path,
    API_KEY: key,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_PER_MINUTE: '1000000',
    CHECK_RESPONSES: 'off',
  })
  try {
    const rows: Row[] = []
    const ratios: number[] = []
    for (const item of items) {
      const row = await scoreItem(service, item, scoring)
      rows.push(row)
      // The service and pdftotext run directly after each other, so that load on the machine affects both.
      const pdfToTextMs = item.type === 'pdf' && !item.expectError ? measurePdfToText(item) : undefined
      if (pdfToTextMs !== undefined) ratios.push(row.ms / pdfToTextMs)
    }
    console.log(`\n${scoring.table(rows, scoring.COLS)}\n`)
    const speed = figure('time of a text PDF over HTTP, against pdftotext (median)', median(ratios), 'times')
    return [
      ...scoreFigures(rows),
      ...(ratios.length > 0 ? [speed] : []),
      ...(await measureUnderLoad(service, items)),
    ]
  } finally {
    await service.stop()
    data.remove()
  }
}

/** Lists the development files; undefined if no folder is named. */
export function listItems(): Item[] | undefined {
  if (folder === undefined) return undefined
  const manifest: { items: Item[] } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  return manifest.items.filter(({ split }) => split === 'dev')
}

export async function postFile(service: RunningService, item: Item): Promise<ParseResult> {
  const name = item.file.replace(/^[^_]+__/, '')
  const form = new FormData()
  form.append('file', new Blob([readFileSync(join(folder ?? '', 'files', item.file))]), name)
  const options = item.options ?? { parsers: [{ type: 'pdf', mode: item.mode ?? 'auto' }] }
  form.append('options', JSON.stringify({ formats: ['markdown'], timeout: 120_000, ...options }))
  const startedAt = performance.now()
  try {
    const headers = { authorization: `Bearer ${key}` }
    const signal = AbortSignal.timeout(180_000)
    const response = await fetch(`${service.url}/v2/parse`, { method: 'POST', headers, body: form, signal })
    const body = await response.json()
    return {
      ok: response.ok,
      status: response.status,
      markdown: body.data?.markdown ?? '',
      error: body.error,
      code: body.code,
      pages: body.data?.metadata?.numPages,
      ms: performance.now() - startedAt,
    }
  } catch {
    return { ok: false, status: 0, markdown: '', timeout: true, ms: performance.now() - startedAt }
  }
}

async function scoreItem(service: RunningService, item: Item, scoring: Scoring): Promise<Row> {
  const result = await postFile(service, item)
  const truth = item.truth ? readFileSync(join(folder ?? '', 'truth', item.truth), 'utf8') : null
  const s = scoring.scoreItem(item, result, truth)
  const group = item.expectError ? `robust:${item.expectError}` : item.type
  const fail = item.expectError ? (s.err ?? 0) < 1 : !result.ok
  return { id: item.id, group, s, ms: result.ms, fail, status: result.status }
}

const mean = (rows: Row[]) =>
  rows.reduce((sum, row) => sum + (row.s.score ?? 0), 0) / Math.max(1, rows.length)

function scoreFigures(rows: Row[]): Figure[] {
  const types = Object.entries(minScores).map(([type, minScore]) =>
    atLeast(`${type}: score`, mean(rows.filter((row) => row.group === type)), minScore, ''),
  )
  const hostile = rows.filter((row) => row.group.startsWith('robust'))
  const lostResponses = rows.filter((row) => row.status === 0 || row.status >= 500)
  const failedScans = rows.filter((row) => row.group === 'ocr' && row.fail)
  return [
    ...types,
    atLeast('hostile files: score', mean(hostile), 0.9, ''),
    atMost('answers that were lost, or 5xx', lostResponses.length, 0, ''),
    atMost('scans that were not answered', failedScans.length, 0, ''),
  ]
}

const pdfToText = ['/usr/bin/pdftotext', '/usr/local/bin/pdftotext'].find((path) => existsSync(path))

/** Returns the time of pdftotext for the same file; undefined if it is not installed or fails. */
function measurePdfToText(item: Item): number | undefined {
  if (!pdfToText) return undefined
  const startedAt = performance.now()
  try {
    execFileSync(pdfToText, ['-layout', join(folder ?? '', 'files', item.file), '-'], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return performance.now() - startedAt
}

/** Converts all hostile files while pages are scraped. No scrape may fail, and the memory must be released. */
async function measureUnderLoad(service: RunningService, items: Item[]): Promise<Figure[]> {
  const site = await startSite()
  const load = (work: () => Promise<void>) => scrapeDuring(service, `${site.url}/article`, work)
  // The memory of a service grows after its start, so it is only comparable after a warm-up.
  await load(() => delay(10_000))
  await delay(2000)
  const before = residentMegabytes(service)
  const hostile = items.filter((item) => item.expectError)
  const { scraped, failed } = await load(async () => {
    for (const item of [...hostile, ...hostile]) await postFile(service, item)
  })
  await delay(5000)
  const after = residentMegabytes(service)
  await site.stop()
  return [
    figure('scrapes beside two rounds of hostile files', scraped, ''),
    atMost('of these failed', failed, 0, ''),
    atMost('memory of the service afterwards, more than before', after - before, 50, 'MB'),
  ]
}

async function scrapeDuring(service: RunningService, url: string, work: () => Promise<void>) {
  let [scraped, failed, isOver] = [0, 0, false]
  const scrape = async () => {
    while (!isOver) {
      const response = await fetch(`${service.url}/v2/scrape`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url, maxAge: 0, storeInCache: false }),
      })
      await response.text()
      scraped += 1
      if (response.status !== 200) failed += 1
    }
  }
  const scrapes = [scrape(), scrape()]
  await work()
  isOver = true
  await Promise.all(scrapes)
  return { scraped, failed }
}

function residentMegabytes({ process: child }: RunningService): number {
  const pages = readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1]
  return (Number(pages) * 4096) / 1024 / 1024
}
