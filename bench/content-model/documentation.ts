import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Container, Sample } from './samples.ts'

/** Functions of the runner of the documentation sites that are used here. */
export interface DocumentationRunner {
  FIGURES: readonly string[]
  loadSites(file?: string): Site[]
  prepare(site: Site, pages: number): { pages: SitePage[] }
  /** Returns each figure from 0 to 1; null if it does not apply to the page. */
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

/** Maximum number of pages per site: pages of one site are similar, so more pages add little information. */
const maxPagesPerSite = 10

/**
 * Loads pages of documentation sites from packages of the distribution, with the element that contains their content.
 * The sites are the development sites of the benchmark and those of `doc-sites.json`. Unavailable packages are skipped
 * with a message.
 */
export async function loadDocumentation(): Promise<Sample[]> {
  const { runner, sites } = await loadRunner()
  return [...sites.development, ...sites.own].flatMap((site) => createSamples(runner, site))
}

export async function loadRunner(): Promise<{
  runner: DocumentationRunner
  sites: { development: Site[]; own: Site[] }
}> {
  const defaultFolder = fileURLToPath(new URL('../../../shared/bench-docs', import.meta.url))
  const path = join(resolve(process.env.BENCH_DOCS ?? defaultFolder), 'run.mjs')
  if (!existsSync(path)) throw new Error(`No runner at ${path}; BENCH_DOCS names its folder.`)
  // The runner is plain JavaScript; the interface declares the functions that it documents.
  const runner = (await import(pathToFileURL(path).href)) as DocumentationRunner
  const ownSites = fileURLToPath(new URL('doc-sites.json', import.meta.url))
  return { runner, sites: { development: runner.loadSites(), own: runner.loadSites(ownSites) } }
}

/** Returns the URL of a page in training; each documentation site has a separate host. */
export const toTrainingUrl = (site: Site, { rel }: SitePage) => `http://${site.name}.test/${rel}`

function createSamples(runner: DocumentationRunner, site: Site): Sample[] {
  const { name, main, drop = [], optional = [] } = site
  return pagesOf(runner, site).map((page) => ({
    set: 'docs',
    split: 'train',
    id: `${name}/${page.rel}`,
    url: toTrainingUrl(site, page),
    html: page.html,
    container: { main, drop, optional },
  }))
}

export function pagesOf(runner: DocumentationRunner, site: Site): SitePage[] {
  try {
    return runner.prepare(site, maxPagesPerSite).pages
  } catch (error) {
    console.error(`${site.name} is left out: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}
