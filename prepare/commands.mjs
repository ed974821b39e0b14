import { testSteps } from './test.mjs'

/**
 * @typedef {object} Step a run of Node; a path is relative to the project
 * @property {string} [title] announced when the command has several steps
 * @property {string[]} args
 * @property {Record<string, string>} [environment] beside that of the preparation
 * @property {boolean} [mayBeBundled] it runs the bundle of the service where there is one
 * @property {boolean} [takesArguments] it gets the arguments of the user although it is not the last step
 *
 * @typedef {object} Command
 * @property {'production' | 'all'} packages
 * @property {'none' | 'wanted' | 'tests' | 'model' | 'again'} tools `tests` wants those of the tests as well; `model` a small
 *   language model; `again` forgets what earlier runs found and tried
 * @property {Step[]} steps run in this order until one fails; arguments of the user go to the last one and to those that take them
 */

/**
 * How the heap grows. A small nursery keeps memory out of every thread, and is copied sooner than helpers are awake. The first full
 * collection comes when a start is over, the next ones when the heap has grown by a third rather than when it has
 * multiplied: memory that was taken is given back only at rest.
 */
export const heap = [
  '--max-semi-space-size=8',
  '--no-parallel-scavenge',
  '--initial-old-space-size=80',
  '--heap-growing-percent=30',
]

/**
 * How memory outside the heap is had from the system. The C library would keep a store of it for every few threads, and
 * raise the size from which on it gives blocks back at once with every large block that is freed.
 */
export const allocator = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** The program of the service, as Node can run it without a build. */
const sources = 'src/main.ts'

/** @type {Record<string, Command>} */
export const commands = {
  start: {
    packages: 'production',
    tools: 'wanted',
    steps: [{ args: [...heap, sources], environment: allocator, mayBeBundled: true }],
  },
  dev: { packages: 'all', tools: 'wanted', steps: [{ args: ['--watch', sources] }] },
  test: { packages: 'all', tools: 'tests', steps: testSteps },
  // What needs no browser, no server and no other process: seconds. It never waits, so a worker for each of two cores.
  'test:unit': {
    packages: 'all',
    tools: 'none',
    steps: [{ args: ['node_modules/.bin/vitest', 'run', '--project', 'unit', '--maxWorkers', '2'] }],
  },
  // Every vector on both stores; `npm test` sends a sample of them on SQLite.
  attack: {
    packages: 'all',
    tools: 'tests',
    steps: ['sqlite', 'postgres'].map((store) => ({
      title: `Attacks on a service with ${store}`,
      args: ['node_modules/.bin/vitest', 'run', '--project', 'attack'],
      environment: { ATTACK: 'whole', ATTACK_STORE: store },
      takesArguments: true,
    })),
  },
  // In full; `npm test` runs a short form.
  faults: {
    packages: 'all',
    tools: 'tests',
    steps: [
      {
        args: ['node_modules/.bin/vitest', 'run', '--project', 'faults', '--project', 'whole-*'],
        environment: { FAULTS: 'whole' },
      },
    ],
  },
  // The formats against a language model that runs here. `npm test` does without: it is 126 MB to load.
  'test:model': {
    packages: 'all',
    tools: 'model',
    steps: [
      {
        args: ['node_modules/.bin/vitest', 'run', '--project', 'real-model'],
        environment: { REAL_MODEL: 'yes' },
      },
    ],
  },
  bench: { packages: 'all', tools: 'wanted', steps: [{ args: ['bench/run.ts'] }] },
  // Builds the image from a clean clone, starts it without rights and looks at what it does.
  image: { packages: 'all', tools: 'none', steps: [{ args: ['test/image/run.ts'] }] },
  // Manifests, unit and Dockerfile by linters that `npm test` does without.
  'lint:deploy': { packages: 'all', tools: 'none', steps: [{ args: ['test/deploy/lint.ts'] }] },
  // Of the console, into docs/pictures.
  pictures: { packages: 'all', tools: 'tests', steps: [{ args: ['test/pictures/take.ts'] }] },
  doctor: {
    packages: 'production',
    tools: 'again',
    steps: [{ args: [sources, 'doctor'], mayBeBundled: true }],
  },
  key: { packages: 'production', tools: 'none', steps: [{ args: [sources, 'key'] }] },
  generate: { packages: 'all', tools: 'none', steps: [{ args: ['tools/generate.ts'] }] },
  // For an image that is built once and started often.
  prepare: { packages: 'production', tools: 'wanted', steps: [] },
}

/**
 * @param {Command} command
 * @param {string[]} extra
 * @param {NodeJS.ProcessEnv} environment of the preparation
 * @returns {Step[]}
 */
export function stepsOf(command, extra, environment) {
  const last = command.steps.length - 1
  const bundle = environment.SERVICE_PROGRAM
  return command.steps.map((step, index) => {
    const args = step.args.map((arg) => (arg === sources && step.mayBeBundled && bundle ? bundle : arg))
    return { ...step, args: step.takesArguments || index === last ? [...args, ...extra] : args }
  })
}
