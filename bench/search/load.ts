import { addDocuments, type SearchIndex } from '../../src/search/index/documents.ts'
import { documentsOfPage } from '../../src/search/index/page-documents.ts'
import { searchIndex } from '../../src/search/index/search-index.ts'
import { parseQuery } from '../../src/search/query/query.ts'
import { atLeast, atMost, type Figure, plain } from '../figure.ts'
import type { MadePages } from './made-pages.ts'
import type { BenchStore } from './stores.ts'

/** As many as the service indexes together. */
const together = 64
const warmUps = 30
const queries = 300
const teamId = 'load'

/** What a large index costs: to write, to search, and on the disk. */
export async function measureLoad(
  { name, index, bytes }: BenchStore,
  made: MadePages,
  { count, mostMs }: { count: number; mostMs: number },
): Promise<Figure[]> {
  const empty = await bytes()
  const written = await indexAll(index, made, count)
  const size = ((await bytes()) - empty) / count
  const searched = await searchAll(index, made)
  const of = `${name}, ${count} pages`
  return [
    plain(`${of}: CPU to index one`, written.cpu, 'ms'),
    plain(`${of}: size of one`, size / 1024, 'KB'),
    atMost(`${of}: more memory at the end than at a quarter`, written.growth, 100, 'MB'),
    atMost(`${of}: more memory after searching`, searched.growth, 100, 'MB'),
    plain(`${of}: two words, p50`, percentile(searched.wall, 0.5), 'ms'),
    atMost(`${of}: two words, p95`, percentile(searched.wall, 0.95), mostMs, 'ms'),
    plain(`${of}: two words, p50 of the CPU`, percentile(searched.cpu, 0.5), 'ms'),
    plain(`${of}: two words, p95 of the CPU`, percentile(searched.cpu, 0.95), 'ms'),
    atLeast(`${of}: queries that found something`, searched.answered / queries, 0.9, ''),
  ]
}

async function indexAll(
  index: SearchIndex,
  made: MadePages,
  count: number,
): Promise<{ cpu: number; growth: number }> {
  let cpu = 0
  let atQuarter = 0
  const part = Math.max(together, Math.floor(count / 20))
  for (let start = 0; start < count; start += together) {
    const pages = Array.from({ length: Math.min(together, count - start) }, (_, place) =>
      made.page(start + place),
    )
    const before = process.cpuUsage()
    const documents = await Promise.all(pages.map(documentsOfPage))
    const ofPages = documents.map(({ page }) => page)
    await addDocuments(index, { teamId, kind: 'page' }, ofPages)
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

interface Searched {
  wall: number[]
  cpu: number[]
  answered: number
  growth: number
}

async function searchAll(index: SearchIndex, made: MadePages): Promise<Searched> {
  const found: Searched = { wall: [], cpu: [], answered: 0, growth: 0 }
  let first = 0
  for (let number = 0; number < warmUps + queries; number += 1) {
    const query = parseQuery(made.query(number))
    const [began, used] = [performance.now(), process.cpuUsage()]
    const answer = await searchIndex(index, {
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
    const [wall, cpu] = [performance.now() - began, milliseconds(process.cpuUsage(used))]
    if (number < warmUps) {
      first = resident()
      continue
    }
    found.wall.push(wall)
    found.cpu.push(cpu)
    if (answer.found.length > 0) found.answered += 1
  }
  found.growth = resident() - first
  console.log(`${queries} queries: ${first.toFixed(0)} MB before, ${resident().toFixed(0)} MB after`)
  return found
}

const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
const resident = () => process.memoryUsage.rss() / 2 ** 20

function percentile(values: number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN
}
