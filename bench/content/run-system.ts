import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { median } from '../figure.ts'
import type { BenchPage, PageRow, Scorer } from './scorer.ts'
import type { System } from './systems/system.ts'

/** Run of one system on the pages of one set. */
export interface SystemRun {
  system: System
  set: string
  pages: BenchPage[]
  task: 'extract' | 'convert'
  /** Folder in which the Markdown of each page is stored; undefined if it is not stored. */
  folder?: string
}

/** Runs one system on all pages of a set. Returns score and time of each page. */
export async function runSystem(scorer: Scorer, run: SystemRun): Promise<PageRow[]> {
  // Collecting the garbage of the previous system must not count for this system.
  collectGarbage()
  const rows: PageRow[] = []
  for (const page of run.pages) {
    const { markdown, ms, failure } = await runPage(run, page)
    rows.push({
      id: page.id,
      url: page.url,
      ...(page.type !== undefined && { type: page.type }),
      size: page.html.length,
      ms,
      len: markdown.length,
      ...(failure !== undefined && { err: failure }),
      s: scorer.scorePage(run.set, page, markdown),
    })
    if (run.folder) storeMarkdown(join(run.folder, run.system.name, run.set), page, markdown)
  }
  await measureSlowestAgain(run, rows)
  return rows
}

/** Number of warm-up pages of a system that takes seconds per page. */
const warmUpPagesOfSlow = 5

/**
 * Reads the pages once before the measurement, because V8 compiles the code of a system in the background as long as
 * pages execute new code.
 */
export async function warmUp(system: System, pages: BenchPage[]): Promise<void> {
  if (system.clock === 'wall') return
  for (const page of system.isSlow ? pages.slice(0, warmUpPagesOfSlow) : pages) {
    await runPage({ system, task: 'extract' }, page)
  }
}

interface TimedResult {
  markdown: string
  ms: number
  failure?: string
}

async function runPage(
  { system, task }: Pick<SystemRun, 'system' | 'task'>,
  page: BenchPage,
): Promise<TimedResult> {
  const work = system[task]
  if (!work) return { markdown: '', ms: 0, failure: `${system.name} does not ${task}` }
  const stop = system.clock === 'wall' ? startWallClock() : startCpuClock()
  try {
    const markdown = await work(page)
    return { markdown, ms: stop() }
  } catch (error) {
    return { markdown: '', ms: stop(), failure: String(error).slice(0, 200) }
  }
}

/**
 * Measures the slowest pages twice more and uses the median time. A garbage collection may increase the time of any
 * page, and the time of the worst page is a reported figure.
 */
async function measureSlowestAgain(run: SystemRun, rows: PageRow[]): Promise<void> {
  if (run.system.clock === 'wall') return
  const slowest = rows.toSorted((left, right) => right.ms - left.ms).slice(0, 5)
  for (const row of slowest) {
    const page = run.pages.find(({ id }) => id === row.id)
    if (!page) continue
    collectGarbage()
    const times = [row.ms, (await runPage(run, page)).ms, (await runPage(run, page)).ms]
    row.ms = median(times)
  }
}

function startCpuClock(): () => number {
  const startedAt = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(startedAt)
    return (user + system) / 1000
  }
}

function startWallClock(): () => number {
  const startedAt = performance.now()
  return () => performance.now() - startedAt
}

function storeMarkdown(folder: string, { id }: BenchPage, markdown: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${id}.md`), markdown)
}

setFlagsFromString('--expose-gc')
// Only contexts that are created after the flag is set have the function.
const collectGarbage: () => void = runInNewContext('gc')
