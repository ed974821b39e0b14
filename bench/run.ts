import { type Figure, MeasureError, printFigures } from './figure.ts'

/** Benchmarks by name. Each benchmark measures ratios in one run, and returns figures with their bounds. */
const benchmarks: Record<string, () => Promise<{ measure(args: string[]): Promise<Figure[]> }>> = {
  console: () => import('./console.ts'),
  start: () => import('./start.ts'),
  route: () => import('./route.ts'),
  scrape: () => import('./scrape.ts'),
  jobs: () => import('./jobs.ts'),
  pages: () => import('./pages.ts'),
  settle: () => import('./settle.ts'),
  engines: () => import('./engines.ts'),
  health: () => import('./health.ts'),
  'browser-fairness': () => import('./browser-fairness.ts'),
  cache: () => import('./cache.ts'),
  soak: () => import('./soak.ts'),
  memory: () => import('./memory.ts'),
  sessions: () => import('./sessions.ts'),
  crawl: () => import('./crawl.ts'),
  sites: () => import('./sites.ts'),
  workers: () => import('./workers.ts'),
  balances: () => import('./balances.ts'),
  content: () => import('./content/content.ts'),
  templates: () => import('./templates.ts'),
  documents: () => import('./documents.ts'),
  pdf: () => import('./pdf.ts'),
  fairness: () => import('./fairness.ts'),
  search: () => import('./search.ts'),
  reading: () => import('./reading.ts'),
  trace: () => import('./trace.ts'),
  support: () => import('./support.ts'),
  'job-table': () => import('./job-table.ts'),
  capacity: () => import('./capacity.ts'),
}
/** Benchmarks that accept options. */
const takesOptions = new Set(['content', 'health', 'templates'])

const { names, options } = readArguments(process.argv.slice(2))
let isWithinBounds = true
for (const [name, load] of Object.entries(benchmarks)) {
  if (names.length > 0 && !names.includes(name)) continue
  isWithinBounds = (await run(name, load)) && isWithinBounds
}
process.exit(isWithinBounds ? 0 : 1)

async function run(name: string, load: (typeof benchmarks)[string]): Promise<boolean> {
  try {
    const figures = await (await load()).measure(options)
    if (figures.length > 0) console.log(printFigures(name, figures))
    return figures.every((figure) => figure.isMet ?? true)
  } catch (error) {
    if (!(error instanceof MeasureError)) throw error
    console.error(`${name}: ${error.message}`)
    return false
  }
}

function readArguments(args: string[]): { names: string[]; options: string[] } {
  const firstOption = args.findIndex((arg) => arg.startsWith('--'))
  const names = firstOption === -1 ? args : args.slice(0, firstOption)
  const options = firstOption === -1 ? [] : args.slice(firstOption)
  const unknown = names.filter((name) => !(name in benchmarks))
  const [first = ''] = names
  if (unknown.length > 0) {
    console.error(
      `No such benchmark: ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.`,
    )
    process.exit(1)
  }
  if (options.length > 0 && !(names.length === 1 && takesOptions.has(first))) {
    console.error(`Options follow the one benchmark that takes them: ${[...takesOptions].join(', ')}.`)
    process.exit(1)
  }
  return { names, options }
}
