import { readFileSync, writeFileSync } from 'node:fs'
import { CannotMeasure, type Figure } from '../figure.ts'
import { boundedFigures } from './bounds.ts'
import { writeDocument } from './document.ts'
import { measureSystems } from './measure-systems.ts'
import { type Options, readOptions } from './options.ts'
import type { RunResult } from './result.ts'
import { loadScorer } from './scorer.ts'
import { allSystems } from './systems/all.ts'
import type { System } from './systems/system.ts'
import { winnowService } from './systems/winnow-service.ts'
import { comparison } from './table.ts'
import { worstPages } from './worst-pages.ts'

/** How well the main content is found and written, beside what others do, and for how much CPU. */
export async function measure(args: string[]): Promise<Figure[]> {
  const options = readOptions(args)
  const run = options.from ? readResult(options.from) : await runSystems(options)
  if (options.out) writeFileSync(options.out, JSON.stringify(run))
  if (options.worst > 0) console.log(`${worstPages(run, options.worst)}\n`)
  console.log(`${comparison(run)}\n`)
  if (options.writes) writeDocument(run)
  return boundedFigures(run)
}

function readResult(file: string): RunResult {
  // A file of `--out`.
  return JSON.parse(readFileSync(file, 'utf8')) as RunResult
}

async function runSystems(options: Options): Promise<RunResult> {
  const scorer = await loadScorer(options.folder)
  const systems = await chosenSystems(options)
  try {
    return await measureSystems(scorer, systems, options)
  } finally {
    for (const system of systems) system.stop?.()
  }
}

async function chosenSystems({ systems: names, service }: Options): Promise<System[]> {
  const known = allSystems.map(({ name }) => name)
  const unknown = names?.filter((name) => !known.includes(name)) ?? []
  if (unknown.length > 0) {
    throw new CannotMeasure(`No such system: ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  }
  const chosen = allSystems.filter(({ name, isAside }) => names?.includes(name) ?? !isAside)
  if (!service) return chosen
  const ours = await winnowService(service)
  return chosen.map((system) => (system.name === 'winnow' ? ours : system))
}
