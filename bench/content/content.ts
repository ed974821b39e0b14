import { readFileSync, writeFileSync } from 'node:fs'
import { type Figure, MeasureError } from '../figure.ts'
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

/**
 * Measures quality and CPU time of finding the main content and converting it to Markdown, compared with other
 * systems.
 */
export async function measure(args: string[]): Promise<Figure[]> {
  const options = readOptions(args)
  const run = options.from ? readResult(options.from) : await runSystems(options)
  if (options.out) writeFileSync(options.out, JSON.stringify(run))
  if (options.worst > 0) console.log(`${worstPages(run, options.worst)}\n`)
  console.log(`${comparison(run)}\n`)
  if (options.shouldWriteDocument) writeDocument(run)
  return boundedFigures(run)
}

function readResult(file: string): RunResult {
  // The cast is safe: the file was written by `--out`.
  return JSON.parse(readFileSync(file, 'utf8')) as RunResult
}

async function runSystems(options: Options): Promise<RunResult> {
  const scorer = await loadScorer(options.folder)
  const systems = await selectSystems(options)
  try {
    return await measureSystems(scorer, systems, options)
  } finally {
    for (const system of systems) system.stop?.()
  }
}

async function selectSystems({ systems: names, service }: Options): Promise<System[]> {
  const knownNames = allSystems.map(({ name }) => name)
  const unknownNames = names?.filter((name) => !knownNames.includes(name)) ?? []
  if (unknownNames.length > 0) {
    throw new MeasureError(`No such system: ${unknownNames.join(', ')}. There are: ${knownNames.join(', ')}.`)
  }
  const selected = allSystems.filter(({ name, isOptional }) => names?.includes(name) ?? !isOptional)
  if (!service) return selected
  const serviceSystem = await winnowService(service)
  return selected.map((system) => (system.name === 'winnow' ? serviceSystem : system))
}
