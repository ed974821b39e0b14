import { table } from '../content/table.ts'
import { atLeast, type Figure, plain } from '../figure.ts'
import type { ReadingBench } from './bench.ts'
import { countEvidence, type EvidenceCount, sumOfEvidence } from './evidence.ts'
import { share } from './report.ts'
import { type FieldScore, scoreAnswer } from './score.ts'
import { learnedSites } from './sites/learned/all.ts'
import { type LearnedSite, sitePages, taughtPages } from './sites/learned/site.ts'
import { precision, recall, tallyOf } from './tally.ts'

interface Read {
  site: string
  /** Which pages of the site these are. */
  stage: string
  fields: FieldScore[]
  evidence: EvidenceCount
  answered: boolean
}

const stages = {
  look: ['pages 1 to 3', 'pages 4 to 12'],
  newLook: ['new look, 1 to 3', 'new look, 4 to 12'],
} as const

/**
 * One site after the other, page by page, then the same site with a new look. Taught: the first three pages of a look
 * state their values as structured data, so that it is known what stands where. Untaught: no page does.
 */
export async function measureLearned(bench: ReadingBench): Promise<Figure[]> {
  const sites = bench.options.halves.flatMap((half) => learnedSites[half])
  const figures: Figure[] = []
  for (const isTaught of [true, false]) {
    const reads: Read[] = []
    for (const site of sites) reads.push(...(await readSite(bench, site, isTaught)))
    figures.push(...printed(isTaught ? 'learned, taught' : 'learned, untaught', reads))
  }
  return figures
}

async function readSite(bench: ReadingBench, site: LearnedSite, isTaught: boolean): Promise<Read[]> {
  const host = bench.newHost()
  const reads: Read[] = []
  for (const look of ['look', 'newLook'] as const) {
    for (const [place, { path, html, expected }] of sitePages(site, look, isTaught).entries()) {
      const url = bench.serve(host, path, html)
      // One by one: what a page teaches must be there for the next.
      const { data, isOk } = await bench.scrape(url, [{ type: 'json', schema: site.schema }])
      const fields = scoreAnswer(site.schema, expected, data.json, url)
      const stage = stages[look][place < taughtPages ? 0 : 1]
      const evidence = countEvidence(fields, data.jsonEvidence, html)
      reads.push({ site: site.name, stage, fields, evidence, answered: isOk })
    }
  }
  return reads
}

function printed(name: string, reads: Read[]): Figure[] {
  const groups = [
    ...Map.groupBy(reads, ({ stage }) => stage),
    ...Map.groupBy(reads, ({ site, stage }) => `${site}, ${stage}`),
  ]
  const rows = groups.map(([group, members]) => {
    const tally = tallyOf(members.map(({ fields }) => fields))
    const evidence = sumOfEvidence(members.map((one) => one.evidence))
    const values = [recall(tally), precision(tally), share(evidence.learned, evidence.filled)]
    return [group, String(members.length), ...values.map((value) => value.toFixed(3))]
  })
  console.log(`\n${name}\n${table([['', 'pages', 'recall', 'precision', 'by learned places'], ...rows])}`)
  const failed = reads.filter(({ answered }) => !answered).length
  if (failed > 0) console.log(`${failed} failed`)
  return [stages.look[1], stages.newLook[1]].flatMap((stage) => {
    const tally = tallyOf(reads.filter((read) => read.stage === stage).map(({ fields }) => fields))
    console.log(
      `${name.toUpperCase()} ${stage} recall ${recall(tally).toFixed(4)} precision ${precision(tally).toFixed(4)}`,
    )
    return [
      atLeast(`${name}, ${stage}: precision`, precision(tally), 0.97, ''),
      plain(`${name}, ${stage}: recall`, recall(tally), ''),
    ]
  })
}
