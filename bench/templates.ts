import { readPage } from '../src/content/content.ts'
import {
  addCounts,
  type Count,
  type Counts,
  counted,
  least,
  maxNoise,
  noCounts,
  readCorpus,
  scorePage,
} from '../test/corpus/templates/score.ts'
import { table } from './content/table.ts'
import { atLeast, atMost, type Figure } from './figure.ts'

/**
 * Measures the kept content of shops, forums and lists, by template. `--wrong` lists missing and superfluous content.
 */
export async function measure(args: string[]): Promise<Figure[]> {
  const byTemplate = new Map<string, Counts>()
  const all = noCounts()
  for (const { template, name, html, truth } of readCorpus()) {
    const counts = scorePage(toMarkdown(html, truth.url), truth)
    const sum = byTemplate.get(template) ?? noCounts()
    addCounts(sum, counts)
    addCounts(all, counts)
    byTemplate.set(template, sum)
    if (args.includes('--wrong')) printWrong(`${template}/${name}`, counts)
  }
  const rows = [...byTemplate, ['all', all] as const].map(([template, counts]) => [
    template,
    ...counted.map((name) => formatCount(counts[name])),
  ])
  console.log(`${table([['template', ...counted], ...rows])}\n`)
  return counted.map((name) => {
    const value = all[name].found / all[name].all
    return name === 'noise' ? atMost(name, value, maxNoise, '') : atLeast(name, value, least[name], '')
  })
}

function toMarkdown(html: string, url: string): string {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return readPage(page, options).markdown()
}

function printWrong(page: string, counts: Counts): void {
  for (const name of counted) {
    for (const wrong of counts[name].wrong) console.log(`${page} ${name}: ${wrong}`)
  }
}

const formatCount = ({ found, all }: Count) => (all === 0 ? '–' : `${found}/${all}`)
