import { removeEndedBefore } from '../src/store/jobs/jobs.ts'
import { atMost, type Figure, median, plain } from './figure.ts'
import { childrenOfOne, fill } from './job-table/fill.ts'
import { paceOf } from './job-table/pace.ts'
import { timeQueries } from './job-table/queries.ts'
import { type Scene, startScene } from './job-table/scene.ts'
import { autovacuums, indexSizes, megabytes, sizeOf, totalOf, vacuum } from './job-table/sizes.ts'

/** Ended jobs in the table; ten million take 22 minutes on two cores, and 30 GB. */
const rows = Number(process.env.BENCH_ROWS ?? 100_000)
const jobs = Number(process.env.BENCH_JOBS ?? 5000)
const resultBytes = Number(process.env.BENCH_RESULT_BYTES ?? 512)
const hour = 3600_000

/** What the table of jobs carries: its pace, its size, its queries among many ended jobs, and how it is swept. */
export async function measure(): Promise<Figure[]> {
  const scene = await startScene()
  try {
    const figures: Figure[] = []
    for (const part of [paceWhenEmpty, filled, queries, paceWhenFull, swept]) {
      const some = await part(scene)
      figures.push(...some)
      // A run of ten million takes long: each part prints its figures at once.
      for (const { what, value } of some) console.error(`${new Date().toISOString()} ${what}: ${value}`)
    }
    return figures
  } finally {
    await scene.stop()
  }
}

const paceWhenEmpty = (scene: Scene) => pace(scene, 'empty table')
const paceWhenFull = (scene: Scene) => pace(scene, 'full table')

async function pace(scene: Scene, when: string): Promise<Figure[]> {
  const { enqueued, leased, ended } = await paceOf(scene, jobs)
  return [
    plain(`rows enqueued, ${when}`, enqueued, 'per s'),
    plain(`rows leased by 32, ${when}`, leased, 'per s'),
    plain(`rows ended and charged by 32, ${when}`, ended, 'per s'),
  ]
}

const idOfFirstCrawl = (mark: string) => `019${mark}-aaaa-7000-8000-000000000000`

async function filled(scene: Scene): Promise<Figure[]> {
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
    plain(`jobs: ${rows} rows`, megabytes(totalOf(size) - totalOf(empty)), 'MB'),
    plain('  of it rows', megabytes(size.heap - empty.heap), 'MB'),
    plain('  of it indexes', megabytes(size.indexes - empty.indexes), 'MB'),
    ...indexes.map(({ name, bytes }) => plain(`    ${name}`, megabytes(bytes), 'MB')),
    plain('bytes of a job', (totalOf(size) - totalOf(empty)) / rows, 'B'),
    plain('bytes of a row of the ledger, which stays', totalOf(ledger) / rows, 'B'),
  ]
}

/** Ended two days ago over a day: all of them are due. */
function fillWith({ databaseUrl, teamId }: Scene, mark: string): Promise<void> {
  return fill(databaseUrl, {
    teamId,
    rows,
    resultBytes,
    until: Date.now() - 24 * hour,
    overMs: 24 * hour,
    mark,
  })
}

async function queries(scene: Scene): Promise<Figure[]> {
  const times = await timeQueries(scene, idOfFirstCrawl('f0000'))
  return Object.entries(times).map(([what, ms]) => atMost(what, ms, 100, 'ms'))
}

async function swept(scene: Scene): Promise<Figure[]> {
  const { store } = scene
  const before = await sizeOf(store, 'jobs')
  // Their pages are the oldest of all and stay: the sweep has to pass them.
  const crawls = await keepRunning(scene, rows / childrenOfOne / 10)
  const began = performance.now()
  const { removed, batches } = await sweepAll(scene)
  const seconds = (performance.now() - began) / 1000
  const after = await sizeOf(store, 'jobs')
  const vacuuming = performance.now()
  await vacuum(store)
  const vacuumed = (performance.now() - vacuuming) / 1000
  const again = await sizeOf(store, 'jobs')
  await fillWith(scene, 'f0001')
  const refilled = await sizeOf(store, 'jobs')
  return [
    plain(`rows swept, past the pages of ${crawls} crawls that run`, removed / seconds, 'per s'),
    plain(
      '  500 rows, first tenth of the sweep, median',
      median(batches.slice(0, Math.ceil(batches.length / 10))),
      'ms',
    ),
    plain(
      '  500 rows, last tenth of the sweep, median',
      median(batches.slice(-Math.ceil(batches.length / 10))),
      'ms',
    ),
    plain('dead rows after the sweep', after.dead, ''),
    plain('runs of autovacuum until then', await autovacuums(store), ''),
    plain('vacuum afterwards', vacuumed, 's'),
    plain('size after sweep and vacuum, of the size before', totalOf(again) / totalOf(before), 'times'),
    plain('size after as many rows again, of the size before', totalOf(refilled) / totalOf(before), 'times'),
  ]
}

async function keepRunning({ store }: Scene, crawls: number): Promise<number> {
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

/** As the sweeper does, with the time of each batch. */
async function sweepAll({ store }: Scene): Promise<{ removed: number; batches: number[] }> {
  const batches: number[] = []
  let [removed, reached] = [0, 0]
  for (let count = 1; count > 0; ) {
    const began = performance.now()
    const gone = await store.transaction((transaction) =>
      removeEndedBefore(transaction, Date.now() - 24 * hour + 1000, reached),
    )
    count = gone.length
    removed += count
    reached = Math.max(reached, ...gone.map(({ endedAt }) => endedAt))
    if (count > 0) batches.push(performance.now() - began)
  }
  return { removed, batches }
}
