import { defineConfig } from 'vitest/config'
import { compileCacheEnvironment } from './src/platform/compile-cache.ts'
import { ByProject } from './test/setup/by-project.ts'

// Tests that load the sentence model themselves do not report to the maker of its library. Services under test do not get this.
process.env.ORT_DISABLE_TELEMETRY = '1'
// Workers come and go with their project, and each of them loads the same sources.
Object.assign(process.env, compileCacheEnvironment())

// Whether something happens is tested, not how soon: a second is short on a machine that has much to do.
const patience = { timeout: 20_000 }

const endToEnd = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Most polls are calls to a service, which take processor time from the work that is waited for.
  expect: { poll: { ...patience, interval: 120 } },
  // Of tests that wait more than they work; each may have a browser.
  maxConcurrency: 3,
}

/**
 * What takes all memory, handles or processor time that it can get runs after the rest, and on few workers: beside three others
 * it would show what the machine can do and not what the service does.
 */
const demanding = { maxWorkers: 2, sequence: { groupOrder: 1 } }

/**
 * The suffix of a file says how it is run. Without one: a unit test, or in test/e2e a test on both stores.
 * - `integration` starts a browser, a server, a thread or another program, or shows on large input that time does not grow beyond it.
 * - `alone` measures the memory of its own process, so nothing else runs in that.
 * - `sqlite` says nothing about the store. Most of these need a process of their own, with settings of their own.
 * - `postgres` is harder where several processes answer: a call may come to another one than the last.
 * - `sqlite-first`, `postgres-first`: on the other store in `npm run faults`.
 */
const suffixed = (name: string) => `**/*.${name}.test.ts`
const e2e = (suffix = '') => `test/e2e/*${suffix}.test.ts`

const onStore = (name: 'sqlite' | 'postgres', other: 'sqlite' | 'postgres') => ({
  test: {
    ...endToEnd,
    name,
    include: [e2e()],
    exclude: [e2e(`.${other}`), e2e(`.${other}-first`)],
    globalSetup: `test/setup/${name}.ts`,
  },
})

/** Runs in `npm run faults`. The test of kills is longer there than in `npm test`. */
const wholeFormOn = (store: 'sqlite' | 'postgres', other: 'sqlite' | 'postgres') => ({
  test: {
    ...endToEnd,
    name: `whole-${store}`,
    include: [e2e(`.${other}-first`), 'test/e2e/kill-sites.test.ts'],
    globalSetup: `test/setup/${store}.ts`,
  },
})
const wholeForm = [wholeFormOn('sqlite', 'postgres'), wholeFormOn('postgres', 'sqlite')]

/** A model that runs here has to be installed first, and takes its time: `npm run test:model`. */
const withRealModel = {
  test: {
    ...endToEnd,
    name: 'real-model',
    include: ['test/real-model/**/*.test.ts'],
    globalSetup: 'test/setup/sqlite.ts',
    testTimeout: 300_000,
  },
}

export default defineConfig({
  test: {
    // Two cores, and tests that wait for almost half of their time: two more workers than cores keep both at work.
    maxWorkers: 4,
    // A worker loads each module once and not once per file. Tests leave nothing behind: the suite runs shuffled.
    isolate: false,
    // Node loads the tests as it loads the service: a third less time for the units than by transforming every file first.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    sequence: { sequencer: ByProject },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,tools,prepare,client,bench,console/src,test}/**/*.test.ts'],
          exclude: [
            ...[suffixed('integration'), suffixed('alone')],
            'test/{e2e,attack,faults,real-model}/**',
          ],
          testTimeout: 30_000,
          pool: 'threads',
          expect: { poll: patience },
        },
      },
      {
        test: {
          name: 'integration',
          include: [suffixed('integration')],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: patience },
        },
      },
      {
        test: {
          name: 'alone',
          include: [suffixed('alone')],
          ...demanding,
          isolate: true,
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      onStore('sqlite', 'postgres'),
      onStore('postgres', 'sqlite'),
      {
        test: {
          ...endToEnd,
          ...demanding,
          name: 'attack',
          include: ['test/attack/**/*.test.ts'],
          globalSetup: 'test/attack/table.ts',
        },
      },
      { test: { ...endToEnd, ...demanding, name: 'faults', include: ['test/faults/**/*.test.ts'] } },
      ...(process.env.FAULTS === 'whole' ? wholeForm : []),
      ...(process.env.REAL_MODEL ? [withRealModel] : []),
    ],
  },
})
