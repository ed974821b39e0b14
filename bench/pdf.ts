import { startService, temporaryFolder } from '../test/service.ts'
import { key, listItems, postFile } from './documents.ts'
import { type Figure, figure, median } from './figure.ts'
import { processorMsOfFamily } from './processor.ts'

const rounds = 3

/**
 * Measures the conversion of the text PDFs of the document set, one after another: time and CPU per document and page.
 */
export async function measure(): Promise<Figure[]> {
  const items = listItems()?.filter(({ type, expectError }) => type === 'pdf' && !expectError)
  if (items === undefined) {
    return [{ name: 'BENCH_DOCUMENTS names no folder of documents', value: 'not measured' }]
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
      const result = await postFile(service, item)
      if (!result.ok) throw new Error(`${item.file}: ${result.error}`)
      times.push(result.ms)
      pages += result.pages ?? 0
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
  const medianOf = (name: 'median' | 'cpuPerPage' | 'pagesPerSecond') =>
    median(measured.map((result) => result[name]))
  return [
    figure(`time of a PDF over HTTP (median of ${items.length})`, medianOf('median'), 'ms'),
    figure(`pages of these PDFs, ${measured[0]?.pages} in all`, medianOf('pagesPerSecond'), 'per s'),
    figure('CPU of the service and its processes per page', medianOf('cpuPerPage'), 'ms'),
  ]
}
