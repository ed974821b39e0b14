import { CannotMeasure } from '../figure.ts'
import { inTurn, type ReadingBench } from './bench.ts'
import { countEvidence, type EvidenceCount } from './evidence.ts'
import { type FieldScore, scoreAnswer } from './score.ts'
import type { BenchPage, Form } from './sites/template.ts'

/** What the service answered for one page, field by field. */
export interface Asked {
  page: BenchPage
  form: Form
  base: string
  fields: FieldScore[]
  evidence: EvidenceCount
  error: string | undefined
  answer: unknown
}

export interface AskedAll {
  asked: Asked[]
  /** Processor time of the service for one page: alone, and with the schema. */
  fetchMs: number
  totalMs: number
}

/** Asks for every page by its schema, each on a host of its own. */
export async function askAll(
  bench: ReadingBench,
  pages: readonly BenchPage[],
  form: 'whole' | 'stripped',
): Promise<AskedAll> {
  const served = pages.map((page) => ({
    page,
    url: bench.serve(bench.newHost(), page.path, page[form].html),
  }))
  const forget = { storeInCache: false }
  const fetched = await spent(bench, () =>
    inTurn(served, ({ url }) => bench.scrape(url, ['rawHtml'], forget)),
  )
  const lost = served.filter((_, place) => !fetched.result[place]?.isOk)
  if (lost[0])
    throw new CannotMeasure(`${lost.length} pages cannot be fetched, the first is ${lost[0].page.id}.`)
  const read = await spent(bench, () =>
    inTurn(served, async ({ page, url }) => {
      const { data, error } = await bench.scrape(url, [{ type: 'json', schema: page.schema }], forget)
      return { page, url, data, error }
    }),
  )
  const asked = read.result.map(({ page, url, data, error }) => {
    const { html, expected } = page[form]
    const fields = scoreAnswer(page.schema, expected, data.json, url)
    const evidence = countEvidence(fields, data.jsonEvidence, html)
    return { page, form: page[form], base: url, fields, evidence, error, answer: data.json }
  })
  const each = Math.max(1, pages.length)
  return { asked, fetchMs: fetched.ms / each, totalMs: read.ms / each }
}

async function spent<Result>(bench: ReadingBench, work: () => Promise<Result>) {
  const before = bench.processorMs()
  const result = await work()
  return { result, ms: bench.processorMs() - before }
}
