import { existsSync, readFileSync } from 'node:fs'
import type { Options } from './options.ts'
import type { RunResult, SystemResult, Times } from './result.ts'
import { runSystem, warmUp } from './run-system.ts'
import { type BenchPage, loadPages, type PageRow, type Scorer, type SetScore } from './scorer.ts'
import type { System } from './systems/system.ts'
import { hasItsText } from './text-in-html.ts'

interface Collected {
  rows: (PageRow & { set: string })[]
  sets: Record<string, SetScore>
  goldenAsMain?: SetScore
  emptyInVain: string[]
}

/** Every system on the same pages, set by set, so that a change in the machine's load meets all of them alike. */
export async function measureSystems(
  scorer: Scorer,
  systems: System[],
  options: Options,
): Promise<RunResult> {
  const { folder, split } = options
  const collected = new Map<System, Collected>(
    systems.map((system) => [system, { rows: [], sets: {}, emptyInVain: [] }]),
  )
  for (const set of options.sets ?? scorer.SETS) {
    const choose = loadPages(scorer, { folder, set, split })
    for (const [system, found] of collected) {
      const pages = choose(system.isSlow ? Math.min(options.sample, options.slowSample) : options.sample)
      if (pages.length === 0) continue
      await warmUp(system, pages)
      console.error(`${set}: ${system.title}, ${pages.length} pages`)
      const dump = options.dump ? { folder: options.dump } : {}
      if (set === 'h2m') await golden(scorer, { system, pages, ...dump }, found)
      else await mainContent(scorer, { system, set, pages, ...dump }, found)
    }
  }
  return {
    split,
    node: process.version,
    systems: [...collected].map(([system, found]) => summary(scorer, system, found)),
    rows: Object.fromEntries([...collected].map(([system, { rows }]) => [system.name, rows])),
  }
}

interface Part {
  system: System
  pages: BenchPage[]
  folder?: string
}

async function mainContent(scorer: Scorer, part: Part & { set: string }, found: Collected): Promise<void> {
  const { set, pages } = part
  const rows = await runSystem(scorer, { ...part, way: 'extract' })
  found.sets[set] = scorer.aggregate(set, rows)
  found.rows.push(...rows.map((row) => ({ ...row, set })))
  const empty = new Set(rows.filter((row) => row.len === 0).map((row) => row.id))
  for (const page of pages) {
    if (empty.has(page.id) && hasItsText(scorer, page)) found.emptyInVain.push(`${set}/${page.id}`)
  }
}

/** The golden pairs are about conversion; the runner asks for their main content all the same, so the result has both. */
async function golden(scorer: Scorer, part: Part, found: Collected): Promise<void> {
  const asMain = await runSystem(scorer, { ...part, set: 'h2m', way: 'extract' })
  found.goldenAsMain = scorer.aggregate('h2m', asMain)
  if (!part.system.convert) return
  const converted = await runSystem(scorer, { ...part, set: 'h2m', way: 'convert' })
  found.sets.h2m = scorer.aggregate('h2m', converted)
}

function summary(scorer: Scorer, system: System, found: Collected): SystemResult {
  const { rows, sets, goldenAsMain, emptyInVain } = found
  return {
    name: system.name,
    title: system.title,
    versions: Object.fromEntries(system.packages.map((name) => [name, versionOf(name)])),
    clock: system.clock ?? 'cpu',
    pages: rows.length,
    sets,
    ...(goldenAsMain && { goldenAsMain }),
    empty: rows.filter(({ len }) => len === 0).length,
    emptyInVain,
    errors: rows.filter(({ err }) => err !== undefined).length,
    ...timesOf(scorer, rows),
  }
}

function timesOf(scorer: Scorer, rows: Collected['rows']): { times?: Times } {
  const [worst] = rows.toSorted((left, right) => right.ms - left.ms)
  if (!worst) return {}
  const { median, p95, buckets } = scorer.timing(rows)
  const middle = buckets['50-200K']?.median
  return {
    times: {
      median,
      ...(middle !== undefined && { middle }),
      p95,
      worst: { ms: worst.ms, page: `${worst.set}/${worst.id}` },
    },
  }
}

function versionOf(name: string): string {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
  if (!existsSync(file)) return 'unknown'
  // Every package has a version.
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
