import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { median } from '../figure.ts'
import type { BenchPage, PageRow, Scorer } from './scorer.ts'
import type { System } from './systems/system.ts'

export interface Round {
  system: System
  set: string
  pages: BenchPage[]
  way: 'extract' | 'convert'
  /** Folder in which each Markdown is stored; undefined if it is not stored. */
  folder?: string
}

/** Runs one system on all pages of a set. Returns score and time of each page. */
export async function runSystem(scorer: Scorer, round: Round): Promise<PageRow[]> {
  // Garbage of the previous system must not count for this one.
  collectGarbage()
  const rows: PageRow[] = []
  for (const page of round.pages) {
    const { markdown, ms, failure } = await runPage(round, page)
    rows.push({
      id: page.id,
      url: page.url,
      ...(page.type !== undefined && { type: page.type }),
      size: page.html.length,
      ms,
      len: markdown.length,
      ...(failure !== undefined && { err: failure }),
      s: scorer.scorePage(round.set, page, markdown),
    })
    if (round.folder) storeMarkdown(join(round.folder, round.system.name, round.set), page, markdown)
  }
  await measureSlowestAgain(round, rows)
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
    await runPage({ system, way: 'extract' }, page)
  }
}

interface TimedResult {
  markdown: string
  ms: number
  failure?: string
}

async function runPage(
  { system, way }: Pick<Round, 'system' | 'way'>,
  page: BenchPage,
): Promise<TimedResult> {
  const work = system[way]
  if (!work) return { markdown: '', ms: 0, failure: `${system.name} does not ${way}` }
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
 * page, and the worst page is a figure.
 */
async function measureSlowestAgain(round: Round, rows: PageRow[]): Promise<void> {
  if (round.system.clock === 'wall') return
  const slowest = rows.toSorted((left, right) => right.ms - left.ms).slice(0, 5)
  for (const row of slowest) {
    const page = round.pages.find(({ id }) => id === row.id)
    if (!page) continue
    collectGarbage()
    const times = [row.ms, (await runPage(round, page)).ms, (await runPage(round, page)).ms]
    row.ms = median(times)
  }
}

function startCpuClock(): () => number {
  const began = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000
  }
}

function startWallClock(): () => number {
  const began = performance.now()
  return () => performance.now() - began
}

function storeMarkdown(folder: string, { id }: BenchPage, markdown: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${id}.md`), markdown)
}

setFlagsFromString('--expose-gc')
// Only contexts that are created after the flag is set have the function.
const collectGarbage: () => void = runInNewContext('gc')
