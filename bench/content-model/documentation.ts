import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Container, Sample } from './samples.ts'

/** What the runner of the documentation sites is asked for. */
export interface DocumentationRunner {
  FIGURES: readonly string[]
  loadSites(file?: string): Site[]
  prepare(site: Site, pages: number): { pages: SitePage[] }
  /** Each figure from 0 to 1, or null where the page has nothing of the kind. */
  score(truth: unknown, markdown: string): Record<string, number | null>
}

export interface Site extends Container {
  name: string
}

export interface SitePage {
  rel: string
  html: string
  truth: unknown
}

/** Pages of one site are alike; more of them teach little. */
const pagesOfSite = 10

/**
 * Pages of documentation sites out of packages of the distribution, with the element that holds their content: those of the
 * benchmark for development and those of `doc-sites.json`. Packages that cannot be had are left out, and said.
 */
export async function loadDocumentation(): Promise<Sample[]> {
  const { runner, sites } = await loadRunner()
  return [...sites.development, ...sites.own].flatMap((site) => samplesOf(runner, site))
}

export async function loadRunner(): Promise<{
  runner: DocumentationRunner
  sites: { development: Site[]; own: Site[] }
}> {
  const beside = fileURLToPath(new URL('../../../shared/bench-docs', import.meta.url))
  const path = join(resolve(process.env.BENCH_DOCS ?? beside), 'run.mjs')
  if (!existsSync(path)) throw new Error(`No runner at ${path}; BENCH_DOCS names its folder.`)
  // The runner is plain JavaScript; these are the functions it documents.
  const runner = (await import(pathToFileURL(path).href)) as DocumentationRunner
  const own = fileURLToPath(new URL('doc-sites.json', import.meta.url))
  return { runner, sites: { development: runner.loadSites(), own: runner.loadSites(own) } }
}

/** The address of a page in training, of a site of its own. */
export const addressOf = (site: Site, { rel }: SitePage) => `http://${site.name}.test/${rel}`

function samplesOf(runner: DocumentationRunner, site: Site): Sample[] {
  const { name, main, drop = [], optional = [] } = site
  return pagesOf(runner, site).map((page) => ({
    set: 'docs',
    split: 'train',
    id: `${name}/${page.rel}`,
    url: addressOf(site, page),
    html: page.html,
    container: { main, drop, optional },
  }))
}

export function pagesOf(runner: DocumentationRunner, site: Site): SitePage[] {
  try {
    return runner.prepare(site, pagesOfSite).pages
  } catch (error) {
    console.error(`${site.name} is left out: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}
