import { type Figure, printFigures } from './figure.ts'

/** Each benchmark measures ratios in one run and answers figures with the bound they are held to. */
const benchmarks: Record<string, () => Promise<{ measure(): Promise<Figure[]> }>> = {
  start: () => import('./start.ts'),
  route: () => import('./route.ts'),
  scrape: () => import('./scrape.ts'),
  jobs: () => import('./jobs.ts'),
  pages: () => import('./pages.ts'),
  cache: () => import('./cache.ts'),
  soak: () => import('./soak.ts'),
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in benchmarks))
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(1)
}

let isWithinBounds = true
for (const [name, load] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const figures = await (await load()).measure()
  console.log(printFigures(name, figures))
  isWithinBounds &&= figures.every((figure) => figure.holds ?? true)
}
process.exit(isWithinBounds ? 0 : 1)
