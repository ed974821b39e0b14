import { removeEndedBefore } from '../src/store/jobs/jobs.ts'
import { atMost, type Figure, figure, median } from './figure.ts'
import { childrenPerCrawl, fill } from './job-table/fill.ts'
import { measureThroughput } from './job-table/pace.ts'
import { timeQueries } from './job-table/queries.ts'
import { type Scene, startScene } from './job-table/scene.ts'
import { autovacuums, indexSizes, megabytes, sizeOf, totalOf, vacuum } from './job-table/sizes.ts'

/** Number of ended jobs in the table; ten million take 22 minutes on two cores, and 30 GB. */
const rows = Number(process.env.BENCH_ROWS ?? 100_000)
const jobs = Number(process.env.BENCH_JOBS ?? 5000)
const resultBytes = Number(process.env.BENCH_RESULT_BYTES ?? 512)
const hourMs = 3600_000

/** Measures the table of jobs: throughput, size, queries among many ended jobs, and the sweep. */
export async function measure(): Promise<Figure[]> {
  const scene = await startScene()
  try {
    const figures: Figure[] = []
    for (const part of [paceWhenEmpty, measureFill, measureQueries, paceWhenFull, measureSweep]) {
      const partFigures = await part(scene)
      figures.push(...partFigures)
      // A run with ten million rows takes long, so each part prints its figures immediately.
      for (const { name, value } of partFigures)
        console.error(`${new Date().toISOString()} ${name}: ${value}`)
    }
    return figures
  } finally {
    await scene.stop()
  }
}

const paceWhenEmpty = (scene: Scene) => measurePace(scene, 'empty table')
const paceWhenFull = (scene: Scene) => measurePace(scene, 'full table')

async function measurePace(scene: Scene, when: string): Promise<Figure[]> {
  const { enqueued, leased, ended } = await measureThroughput(scene, jobs)
  return [
    figure(`rows enqueued, ${when}`, enqueued, 'per s'),
    figure(`rows leased by 32, ${when}`, leased, 'per s'),
    figure(`rows ended and charged by 32, ${when}`, ended, 'per s'),
  ]
}

const toFirstCrawlId = (idPart: string) => `019${idPart}-aaaa-7000-8000-000000000000`

async function measureFill(scene: Scene): Promise<Figure[]> {
  const { store } = scene
  const empty = await sizeOf(store, 'jobs')
  await fillWith(scene, 'f0000')
  await vacuum(store)
  const [size, ledger, indexes] = [
    await sizeOf(store, 'jobs'),
    await sizeOf(store, 'ledger'),
    await indexSizes(store),
  ]
  return [
    figure(`jobs: ${rows} rows`, megabytes(totalOf(size) - totalOf(empty)), 'MB'),
    figure('  of it rows', megabytes(size.heap - empty.heap), 'MB'),
    figure('  of it indexes', megabytes(size.indexes - empty.indexes), 'MB'),
    ...indexes.map(({ name, bytes }) => figure(`    ${name}`, megabytes(bytes), 'MB')),
    figure('bytes of a job', (totalOf(size) - totalOf(empty)) / rows, 'B'),
    figure('bytes of a row of the ledger, which stays', totalOf(ledger) / rows, 'B'),
  ]
}

/** Fills the table with jobs that ended between one and two days ago, so that the sweep removes all of them. */
function fillWith({ databaseUrl, teamId }: Scene, idPart: string): Promise<void> {
  return fill(databaseUrl, {
    teamId,
    rows,
    resultBytes,
    until: Date.now() - 24 * hourMs,
    overMs: 24 * hourMs,
    idPart,
  })
}

async function measureQueries(scene: Scene): Promise<Figure[]> {
  const times = await timeQueries(scene, toFirstCrawlId('f0000'))
  return Object.entries(times).map(([name, ms]) => atMost(name, ms, 100, 'ms'))
}

async function measureSweep(scene: Scene): Promise<Figure[]> {
  const { store } = scene
  const before = await sizeOf(store, 'jobs')
  // The pages of running crawls are the oldest rows and stay, so the sweep must pass them.
  const crawls = await reopenCrawls(scene, rows / childrenPerCrawl / 10)
  const startedAt = performance.now()
  const { removed, batches } = await sweepAll(scene)
  const seconds = (performance.now() - startedAt) / 1000
  const after = await sizeOf(store, 'jobs')
  const vacuumStartedAt = performance.now()
  await vacuum(store)
  const vacuumSeconds = (performance.now() - vacuumStartedAt) / 1000
  const vacuumedSize = await sizeOf(store, 'jobs')
  await fillWith(scene, 'f0001')
  const refilled = await sizeOf(store, 'jobs')
  return [
    figure(`rows swept, past the pages of ${crawls} crawls that run`, removed / seconds, 'per s'),
    figure(
      '  500 rows, first tenth of the sweep, median',
      median(batches.slice(0, Math.ceil(batches.length / 10))),
      'ms',
    ),
    figure(
      '  500 rows, last tenth of the sweep, median',
      median(batches.slice(-Math.ceil(batches.length / 10))),
      'ms',
    ),
    figure('dead rows after the sweep', after.dead, ''),
    figure('runs of autovacuum until then', await autovacuums(store), ''),
    figure('vacuum afterwards', vacuumSeconds, 's'),
    figure(
      'size after sweep and vacuum, of the size before',
      totalOf(vacuumedSize) / totalOf(before),
      'times',
    ),
    figure('size after as many rows again, of the size before', totalOf(refilled) / totalOf(before), 'times'),
  ]
}

async function reopenCrawls({ store }: Scene, crawls: number): Promise<number> {
  const oldest = store.query
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', 'crawl')
    .where('parent_id', 'is', null)
    .where('finished_at', 'is not', null)
    .orderBy('finished_at')
    .limit(Math.ceil(crawls))
  const running = { state: 'running' as const, finished_at: null }
  const { numUpdatedRows } = await store.query
    .updateTable('jobs')
    .set(running)
    .where('id', 'in', oldest)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Removes rows like the sweeper, and returns the time of each batch. */
async function sweepAll({ store }: Scene): Promise<{ removed: number; batches: number[] }> {
  const batches: number[] = []
  let [removed, reached] = [0, 0]
  for (let count = 1; count > 0; ) {
    const startedAt = performance.now()
    const removedRows = await store.transaction((transaction) =>
      removeEndedBefore(transaction, Date.now() - 24 * hourMs + 1000, reached),
    )
    count = removedRows.length
    removed += count
    reached = Math.max(reached, ...removedRows.map(({ endedAt }) => endedAt))
    if (count > 0) batches.push(performance.now() - startedAt)
  }
  return { removed, batches }
}
