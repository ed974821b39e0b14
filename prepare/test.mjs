/**
 * Type check with two checkers. Each checker repeats the shared work, so more than two take a third longer on two
 * cores.
 */
const types = ['node_modules/.bin/tsc', '--checkers', '2', '--noEmit']

/** Steps of `npm run lint`, cheapest first. */
export const lintSteps = [
  { title: 'Lint and format', args: ['node_modules/.bin/biome', 'check', '.'] },
  { title: 'Words', args: ['tools/check-words.ts'] },
  { title: 'Unused files and exports', args: ['node_modules/.bin/knip', '--no-progress'] },
  { title: 'Types', args: types },
  { title: 'Types of the console', args: [...types, '--project', 'console'] },
]

export const testSteps = [...lintSteps, { title: 'Tests', args: ['node_modules/.bin/vitest', 'run'] }]
