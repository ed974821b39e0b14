/** More checkers share the files among them and check what they have in common once each: a third more work on two cores. */
const types = ['node_modules/.bin/tsc', '--checkers', '2', '--noEmit']

/** What `npm test` runs, cheapest first. */
export const testSteps = [
  { title: 'Lint and format', args: ['node_modules/.bin/biome', 'check', '.'] },
  { title: 'Unused files and exports', args: ['node_modules/.bin/knip', '--no-progress'] },
  { title: 'Types', args: types },
  { title: 'Types of the console', args: [...types, '--project', 'console'] },
  { title: 'Tests', args: ['node_modules/.bin/vitest', 'run'] },
]
