/** What `npm test` runs, cheapest first. */
export const testSteps = [
  { title: 'Lint and format', args: ['node_modules/.bin/biome', 'check', '.'] },
  { title: 'Types', args: ['node_modules/.bin/tsc', '--noEmit'] },
  { title: 'Tests', args: ['node_modules/.bin/vitest', 'run'] },
]
