import { startService, temporaryFolder } from '../test/service.ts'
import { key, listItems, postFile } from './documents.ts'
import { type Figure, median, plain } from './figure.ts'
import { processorMsOfFamily } from './processor.ts'

const rounds = 3

/** Converts the text PDFs of the document set one after another and reports time and CPU per document and page. */
export async function measure(): Promise<Figure[]> {
  const items = listItems()?.filter(({ type, expectError }) => type === 'pdf' && !expectError)
  if (items === undefined) {
    return [{ what: 'BENCH_DOCUMENTS names no folder of documents', value: 'not measured' }]
  }
  const data = temporaryFolder()
  const service = await startService({
    DATA_DIR: data.path,
    API_KEY: key,
    RATE_PER_MINUTE: '1000000',
    CHECK_RESPONSES: 'off',
    LOG_LEVEL: 'warn',
  })
  const convertAll = async () => {
    const cpuBefore = processorMsOfFamily(service.process.pid ?? 0)
    const times: number[] = []
    let pages = 0
    for (const item of items) {
      const answer = await postFile(service, item)
      if (!answer.ok) throw new Error(`${item.file}: ${answer.error}`)
      times.push(answer.ms)
      pages += answer.pages ?? 0
    }
    const cpu = processorMsOfFamily(service.process.pid ?? 0) - cpuBefore
    const seconds = times.reduce((sum, ms) => sum + ms, 0) / 1000
    return { pages, median: median(times), cpuPerPage: cpu / pages, pagesPerSecond: pages / seconds }
  }
  const results: Awaited<ReturnType<typeof convertAll>>[] = []
  for (let round = 0; round <= rounds; round += 1) results.push(await convertAll())
  await service.stop()
  data.remove()
  const [, ...measured] = results
  const middle = (name: 'median' | 'cpuPerPage' | 'pagesPerSecond') =>
    median(measured.map((result) => result[name]))
  return [
    plain(`time of a PDF over HTTP (median of ${items.length})`, middle('median'), 'ms'),
    plain(`pages of these PDFs, ${measured[0]?.pages} in all`, middle('pagesPerSecond'), 'per s'),
    plain('CPU of the service and its processes per page', middle('cpuPerPage'), 'ms'),
  ]
}
