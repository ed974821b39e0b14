import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Container, Sample } from './samples.ts'

/** What the runner of the documentation sites is asked for. */
interface Runner {
  loadSites(file?: string): Site[]
  prepare(site: Site, pages: number): { pages: { rel: string; html: string }[] }
}

interface Site extends Container {
  name: string
}

/** Pages of one site are alike; more of them teach little. */
const pagesOfSite = 10

/**
 * Pages of documentation sites out of packages of the distribution, with the element that holds their content: those of the
 * benchmark for development and those of `doc-sites.json`. Packages that cannot be had are left out, and said.
 */
export async function loadDocumentation(): Promise<Sample[]> {
  const beside = fileURLToPath(new URL('../../../shared/bench-docs', import.meta.url))
  const path = join(resolve(process.env.BENCH_DOCS ?? beside), 'run.mjs')
  if (!existsSync(path)) throw new Error(`No runner at ${path}; BENCH_DOCS names its folder.`)
  // The runner is plain JavaScript; these are the functions it documents.
  const runner = (await import(pathToFileURL(path).href)) as Runner
  const own = fileURLToPath(new URL('doc-sites.json', import.meta.url))
  return [...runner.loadSites(), ...runner.loadSites(own)].flatMap((site) => samplesOf(runner, site))
}

function samplesOf(runner: Runner, site: Site): Sample[] {
  const { name, main, drop = [], optional = [] } = site
  try {
    return runner.prepare(site, pagesOfSite).pages.map(({ rel, html }) => ({
      set: 'docs',
      split: 'train',
      id: `${name}/${rel}`,
      url: `http://${name}.test/${rel}`,
      html,
      container: { main, drop, optional },
    }))
  } catch (error) {
    console.error(`${name} is left out: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}
