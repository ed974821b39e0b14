import { readPage } from '../src/content/content.ts'
import {
  addCounts,
  type Count,
  type Counts,
  counted,
  least,
  mostNoise,
  noCounts,
  readCorpus,
  scorePage,
} from '../test/corpus/templates/score.ts'
import { table } from './content/table.ts'
import { atLeast, atMost, type Figure } from './figure.ts'

/** What is kept of shops, forums and lists, by template. `--wrong` names what is missing and what is too much. */
export async function measure(args: string[]): Promise<Figure[]> {
  const byTemplate = new Map<string, Counts>()
  const all = noCounts()
  for (const { template, name, html, truth } of readCorpus()) {
    const counts = scorePage(markdownOf(html, truth.url), truth)
    const sum = byTemplate.get(template) ?? noCounts()
    addCounts(sum, counts)
    addCounts(all, counts)
    byTemplate.set(template, sum)
    if (args.includes('--wrong')) printWrong(`${template}/${name}`, counts)
  }
  const rows = [...byTemplate, ['all', all] as const].map(([template, counts]) => [
    template,
    ...counted.map((what) => shown(counts[what])),
  ])
  console.log(`${table([['template', ...counted], ...rows])}\n`)
  return counted.map((what) => {
    const value = all[what].found / all[what].all
    return what === 'noise' ? atMost(what, value, mostNoise, '') : atLeast(what, value, least[what], '')
  })
}

function markdownOf(html: string, url: string): string {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return readPage(page, options).markdown()
}

function printWrong(page: string, counts: Counts): void {
  for (const what of counted) {
    for (const wrong of counts[what].wrong) console.log(`${page} ${what}: ${wrong}`)
  }
}

const shown = ({ found, all }: Count) => (all === 0 ? '–' : `${found}/${all}`)
