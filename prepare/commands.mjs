import { lintSteps, testSteps } from './test.mjs'

/**
 * @typedef {object} Step a run of Node; paths are relative to the project
 * @property {string} [title] printed before the step, if the command has several steps
 * @property {string[]} args
 * @property {Record<string, string>} [environment] variables in addition to those of the preparation
 * @property {boolean} [mayBeBundled] true if it runs the bundled service when one exists
 * @property {boolean} [takesArguments] true if the arguments of the user are passed to it even if it is not the last
 *   step
 *
 * @typedef {object} Command
 * @property {'production' | 'all'} packages
 * @property {'none' | 'wanted' | 'tests' | 'model' | 'again'} tools `tests` also installs the tools of the tests,
 *   `model` a small language model; `again` ignores the findings and failed installs of earlier runs
 * @property {Step[]} steps run in order until one fails; the arguments of the user are passed to the last step, and to
 *   steps with `takesArguments`
 */

/**
 * Flags of V8 for the heap. A small young generation saves memory in every thread, and its collection takes less time
 * than waking helper threads. The first full collection runs after the startup. Later ones run when the heap has grown
 * by 30 % instead of several times, because V8 returns memory to the system only when the process is idle.
 */
export const heap = [
  '--max-semi-space-size=8',
  '--no-parallel-scavenge',
  '--initial-old-space-size=80',
  '--heap-growing-percent=30',
]

/**
 * Settings of malloc, for memory outside of the heap. By default, the C library allocates an arena for every few
 * threads. It also raises the size above which freed blocks are returned immediately, each time a large block is freed.
 */
export const allocator = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** Entry file of the service, which Node runs without a build. */
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
  lint: { packages: 'all', tools: 'wanted', steps: lintSteps },
  // Runs tests without a browser, a server or another process. They never wait, so one worker per core is enough.
  'test:unit': {
    packages: 'all',
    tools: 'none',
    steps: [{ args: ['node_modules/.bin/vitest', 'run', '--project', 'unit', '--maxWorkers', '2'] }],
  },
  // Sends every attack vector on both stores; `npm test` sends a sample of them on SQLite.
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
  // Runs the full form of the tests; `npm test` runs a short form.
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
  // Tests the formats against a local language model. `npm test` omits this, because it downloads 126 MB.
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
  // Builds the image from a clean clone, starts it without privileges and checks its behaviour.
  image: { packages: 'all', tools: 'none', steps: [{ args: ['test/image/run.ts'] }] },
  // Checks the manifests, the systemd unit and the Dockerfile with linters that `npm test` does not run.
  'lint:deploy': { packages: 'all', tools: 'none', steps: [{ args: ['test/deploy/lint.ts'] }] },
  // Writes screenshots of the console to docs/pictures.
  pictures: { packages: 'all', tools: 'tests', steps: [{ args: ['test/pictures/take.ts'] }] },
  doctor: {
    packages: 'production',
    tools: 'again',
    steps: [{ args: [sources, 'doctor'], mayBeBundled: true }],
  },
  key: { packages: 'production', tools: 'none', steps: [{ args: [sources, 'key'] }] },
  generate: { packages: 'all', tools: 'none', steps: [{ args: ['tools/generate.ts'] }] },
  // Prepares without a start, for an image that is built once and started often.
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
