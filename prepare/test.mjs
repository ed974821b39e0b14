/** What `npm test` runs, cheapest first. */
export const testSteps = [
  { title: 'Lint and format', args: ['node_modules/.bin/biome', 'check', '.'] },
  { title: 'Types', args: ['node_modules/.bin/tsc', '--noEmit'] },
  { title: 'Types of the console', args: ['node_modules/.bin/tsc', '--noEmit', '--project', 'console'] },
  { title: 'Tests', args: ['node_modules/.bin/vitest', 'run'] },
]
