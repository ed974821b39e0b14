import { addDocuments, type SearchIndex } from '../../src/search/index/documents.ts'
import { documentsOfPage } from '../../src/search/index/page-documents.ts'
import { searchIndex } from '../../src/search/index/search-index.ts'
import { parseQuery } from '../../src/search/query/query.ts'
import { atLeast, atMost, type Figure, figure } from '../figure.ts'
import type { GeneratedPages } from './made-pages.ts'
import type { BenchStore } from './stores.ts'

/** Batch size, like that of the service. */
const batchSize = 64
const warmUps = 30
const queries = 300
const teamId = 'load'

/** Measures the costs of a large index: CPU to write, time to search, memory and disk space. */
export async function measureLoad(
  { name, index, bytes }: BenchStore,
  generatedPages: GeneratedPages,
  { count, maxMs }: { count: number; maxMs: number },
): Promise<Figure[]> {
  const empty = await bytes()
  const written = await indexAll(index, generatedPages, count)
  const size = ((await bytes()) - empty) / count
  const searched = await searchAll(index, generatedPages)
  const prefix = `${name}, ${count} pages`
  return [
    figure(`${prefix}: CPU to index one`, written.cpu, 'ms'),
    figure(`${prefix}: size of one`, size / 1024, 'KB'),
    atMost(`${prefix}: more memory at the end than at a quarter`, written.growth, 100, 'MB'),
    atMost(`${prefix}: more memory after searching`, searched.growth, 100, 'MB'),
    figure(`${prefix}: two words, p50`, percentile(searched.wall, 0.5), 'ms'),
    atMost(`${prefix}: two words, p95`, percentile(searched.wall, 0.95), maxMs, 'ms'),
    figure(`${prefix}: two words, p50 of the CPU`, percentile(searched.cpu, 0.5), 'ms'),
    figure(`${prefix}: two words, p95 of the CPU`, percentile(searched.cpu, 0.95), 'ms'),
    atLeast(`${prefix}: queries that found something`, searched.answered / queries, 0.9, ''),
  ]
}

async function indexAll(
  index: SearchIndex,
  generatedPages: GeneratedPages,
  count: number,
): Promise<{ cpu: number; growth: number }> {
  let cpu = 0
  let atQuarter = 0
  const part = Math.max(batchSize, Math.floor(count / 20))
  for (let start = 0; start < count; start += batchSize) {
    const pages = Array.from({ length: Math.min(batchSize, count - start) }, (_, offset) =>
      generatedPages.page(start + offset),
    )
    const before = process.cpuUsage()
    const documents = await Promise.all(pages.map(documentsOfPage))
    const pageDocuments = documents.map(({ page }) => page)
    await addDocuments(index, { teamId, kind: 'page' }, pageDocuments)
    await addDocuments(
      index,
      { teamId, kind: 'image' },
      documents.flatMap(({ images }) => images ?? []),
    )
    cpu += milliseconds(process.cpuUsage(before))
    const done = start + pages.length
    if (atQuarter === 0 && done >= count / 4) atQuarter = resident()
    if (Math.floor(done / part) > Math.floor(start / part))
      console.log(`${done} pages: ${(cpu / done).toFixed(2)} ms CPU a page, ${resident().toFixed(0)} MB`)
  }
  return { cpu: cpu / count, growth: resident() - atQuarter }
}

interface SearchResult {
  wall: number[]
  cpu: number[]
  answered: number
  growth: number
}

async function searchAll(index: SearchIndex, generatedPages: GeneratedPages): Promise<SearchResult> {
  const result: SearchResult = { wall: [], cpu: [], answered: 0, growth: 0 }
  let residentBefore = 0
  for (let queryNumber = 0; queryNumber < warmUps + queries; queryNumber += 1) {
    const query = parseQuery(generatedPages.query(queryNumber))
    const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()]
    const response = await searchIndex(index, {
      ...{
        teamId,
        kind: 'page',
        query,
        range: { isNewestFirst: false },
        isNews: false,
        limit: 10,
        vector: null,
      },
    })
    const [wall, cpu] = [performance.now() - startedAt, milliseconds(process.cpuUsage(cpuBefore))]
    if (queryNumber < warmUps) {
      residentBefore = resident()
      continue
    }
    result.wall.push(wall)
    result.cpu.push(cpu)
    if (response.found.length > 0) result.answered += 1
  }
  result.growth = resident() - residentBefore
  console.log(`${queries} queries: ${residentBefore.toFixed(0)} MB before, ${resident().toFixed(0)} MB after`)
  return result
}

const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
const resident = () => process.memoryUsage.rss() / 2 ** 20

function percentile(values: number[], share: number): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? Number.NaN
}
