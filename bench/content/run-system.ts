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
  /** Where each Markdown is kept, if at all. */
  folder?: string
}

/** All pages of a set through one system, each with its score and its time. */
export async function runSystem(scorer: Scorer, round: Round): Promise<PageRow[]> {
  // One system must not pay for the garbage of the one before it.
  collectGarbage()
  const rows: PageRow[] = []
  for (const page of round.pages) {
    const { markdown, ms, failure } = await ask(round, page)
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
    if (round.folder) keep(join(round.folder, round.system.name, round.set), page, markdown)
  }
  await measureSlowestAgain(round, rows)
  return rows
}

/** Of a system that takes seconds for a page. */
const pagesOfSlow = 5

/**
 * The code of a system is compiled while it runs, beside it, as long as pages bring something new. So they are
 * read once before they are measured.
 */
export async function warmUp(system: System, pages: BenchPage[]): Promise<void> {
  if (system.clock === 'wall') return
  for (const page of system.isSlow ? pages.slice(0, pagesOfSlow) : pages) {
    await ask({ system, way: 'extract' }, page)
  }
}

interface Asked {
  markdown: string
  ms: number
  failure?: string
}

async function ask({ system, way }: Pick<Round, 'system' | 'way'>, page: BenchPage): Promise<Asked> {
  const work = system[way]
  if (!work) return { markdown: '', ms: 0, failure: `${system.name} does not ${way}` }
  const stop = system.clock === 'wall' ? wallClock() : cpuClock()
  try {
    const markdown = await work(page)
    return { markdown, ms: stop() }
  } catch (error) {
    return { markdown: '', ms: stop(), failure: String(error).slice(0, 200) }
  }
}

/**
 * A collection of garbage falls on one page by chance, and the worst page is a figure. The slowest are measured twice
 * more, and the middle time counts.
 */
async function measureSlowestAgain(round: Round, rows: PageRow[]): Promise<void> {
  if (round.system.clock === 'wall') return
  const slowest = rows.toSorted((left, right) => right.ms - left.ms).slice(0, 5)
  for (const row of slowest) {
    const page = round.pages.find(({ id }) => id === row.id)
    if (!page) continue
    collectGarbage()
    const times = [row.ms, (await ask(round, page)).ms, (await ask(round, page)).ms]
    row.ms = median(times)
  }
}

function cpuClock(): () => number {
  const began = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000
  }
}

function wallClock(): () => number {
  const began = performance.now()
  return () => performance.now() - began
}

function keep(folder: string, { id }: BenchPage, markdown: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${id}.md`), markdown)
}

setFlagsFromString('--expose-gc')
// Only a context made after the flag was set knows the function.
const collectGarbage: () => void = runInNewContext('gc')
