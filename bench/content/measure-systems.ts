import { existsSync, readFileSync } from 'node:fs'
import type { Options } from './options.ts'
import type { RunResult, SystemResult, Times } from './result.ts'
import { runSystem, warmUp } from './run-system.ts'
import { type BenchPage, loadPages, type PageRow, type Scorer, type SetScore } from './scorer.ts'
import type { System } from './systems/system.ts'
import { htmlContainsTruth } from './text-in-html.ts'

interface SystemScores {
  rows: (PageRow & { set: string })[]
  sets: Record<string, SetScore>
  h2mMainContent?: SetScore
  emptyDespiteText: string[]
}

/**
 * Measures every system on the same pages, set by set, so that other load on the machine affects all systems equally.
 */
export async function measureSystems(
  scorer: Scorer,
  systems: System[],
  options: Options,
): Promise<RunResult> {
  const { folder, split } = options
  const collected = new Map<System, SystemScores>(
    systems.map((system) => [system, { rows: [], sets: {}, emptyDespiteText: [] }]),
  )
  for (const set of options.sets ?? scorer.SETS) {
    const selectPages = loadPages(scorer, { folder, set, split })
    for (const [system, scores] of collected) {
      const pages = selectPages(system.isSlow ? Math.min(options.sample, options.slowSample) : options.sample)
      if (pages.length === 0) continue
      await warmUp(system, pages)
      console.error(`${set}: ${system.title}, ${pages.length} pages`)
      const dump = options.dump ? { folder: options.dump } : {}
      if (set === 'h2m') await measureGolden(scorer, { system, pages, ...dump }, scores)
      else await measureMainContent(scorer, { system, set, pages, ...dump }, scores)
    }
  }
  return {
    split,
    node: process.version,
    systems: [...collected].map(([system, scores]) => summarize(scorer, system, scores)),
    rows: Object.fromEntries([...collected].map(([system, { rows }]) => [system.name, rows])),
  }
}

interface SetMeasurement {
  system: System
  pages: BenchPage[]
  folder?: string
}

async function measureMainContent(
  scorer: Scorer,
  measurement: SetMeasurement & { set: string },
  scores: SystemScores,
): Promise<void> {
  const { set, pages } = measurement
  const rows = await runSystem(scorer, { ...measurement, task: 'extract' })
  scores.sets[set] = scorer.aggregate(set, rows)
  scores.rows.push(...rows.map((row) => ({ ...row, set })))
  const emptyIds = new Set(rows.filter((row) => row.len === 0).map((row) => row.id))
  for (const page of pages) {
    if (emptyIds.has(page.id) && htmlContainsTruth(scorer, page))
      scores.emptyDespiteText.push(`${set}/${page.id}`)
  }
}

/**
 * Measures the golden set: it tests conversion, but the runner also requests its main content, so the result has both.
 */
async function measureGolden(
  scorer: Scorer,
  measurement: SetMeasurement,
  scores: SystemScores,
): Promise<void> {
  const asMain = await runSystem(scorer, { ...measurement, set: 'h2m', task: 'extract' })
  scores.h2mMainContent = scorer.aggregate('h2m', asMain)
  if (!measurement.system.convert) return
  const converted = await runSystem(scorer, { ...measurement, set: 'h2m', task: 'convert' })
  scores.sets.h2m = scorer.aggregate('h2m', converted)
}

function summarize(scorer: Scorer, system: System, scores: SystemScores): SystemResult {
  const { rows, sets, h2mMainContent, emptyDespiteText } = scores
  return {
    name: system.name,
    title: system.title,
    versions: Object.fromEntries(system.packages.map((name) => [name, readVersion(name)])),
    clock: system.clock ?? 'cpu',
    pages: rows.length,
    sets,
    ...(h2mMainContent && { h2mMainContent }),
    empty: rows.filter(({ len }) => len === 0).length,
    emptyDespiteText,
    errors: rows.filter(({ err }) => err !== undefined).length,
    ...getTimes(scorer, rows),
  }
}

function getTimes(scorer: Scorer, rows: SystemScores['rows']): { times?: Times } {
  const [worst] = rows.toSorted((left, right) => right.ms - left.ms)
  if (!worst) return {}
  const { median, p95, buckets } = scorer.timing(rows)
  const middleMs = buckets['50-200K']?.median
  return {
    times: {
      median,
      ...(middleMs !== undefined && { mediumPagesMedian: middleMs }),
      p95,
      worst: { ms: worst.ms, page: `${worst.set}/${worst.id}` },
    },
  }
}

function readVersion(name: string): string {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
  if (!existsSync(file)) return 'unknown'
  // The cast is safe: every package.json has a version.
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
