import { defineConfig } from 'vitest/config'
import { compileCacheEnvironment } from './src/platform/compile-cache.ts'
import { ByProject } from './test/setup/by-project.ts'

// Disables the telemetry of ONNX Runtime in tests that load the sentence model, but not in services under test.
process.env.ORT_DISABLE_TELEMETRY = '1'
// Each project starts new workers, which load the same sources, so they share a compile cache.
Object.assign(process.env, compileCacheEnvironment())

// Tests check that an event happens, not how soon. The default of one second is too short on a busy machine.
const pollOptions = { timeout: 20_000 }

const endToEnd = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Most polls call a service, which takes processor time from the awaited work.
  expect: { poll: { ...pollOptions, interval: 120 } },
  // These tests mostly wait, and each may start a browser.
  maxConcurrency: 3,
}

/**
 * Tests that use all available memory, handles or processor time run after the others, on few workers. Next to three
 * other workers, they would measure the machine instead of the service.
 */
const demanding = { maxWorkers: 2, sequence: { groupOrder: 1 } }

/**
 * The suffix of a test file selects its project. Without one, it is a unit test, or in test/e2e a test on both stores.
 * - `integration` starts a browser, a server, a thread or a program, or checks that time grows linearly with the input.
 * - `alone` measures the memory of its own process, so no other test runs in that process.
 * - `sqlite` does not depend on the store. Most of these tests need a separate process with special settings.
 * - `postgres` is harder with several processes, because a call may reach another process than the previous call.
 * - `sqlite-first` and `postgres-first` run on the other store in `npm run faults`.
 */
const filesWithSuffix = (name: string) => `**/*.${name}.test.ts`
const e2eFiles = (suffix = '') => `test/e2e/*${suffix}.test.ts`

const createStoreProject = (name: 'sqlite' | 'postgres', other: 'sqlite' | 'postgres') => ({
  test: {
    ...endToEnd,
    name,
    include: [e2eFiles()],
    exclude: [e2eFiles(`.${other}`), e2eFiles(`.${other}-first`)],
    globalSetup: `test/setup/${name}.ts`,
  },
})

/** Project of `npm run faults`. The kill test runs longer there than in `npm test`. */
const createFullProject = (store: 'sqlite' | 'postgres', other: 'sqlite' | 'postgres') => ({
  test: {
    ...endToEnd,
    name: `whole-${store}`,
    include: [e2eFiles(`.${other}-first`), 'test/e2e/kill-sites.test.ts'],
    globalSetup: `test/setup/${store}.ts`,
  },
})
const fullProjects = [createFullProject('sqlite', 'postgres'), createFullProject('postgres', 'sqlite')]

/** Tests with a local model, which must be installed first and is slow: `npm run test:model`. */
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
    // Tests wait for almost half of their time, so two more workers than cores keep both cores busy.
    maxWorkers: 4,
    // A worker loads each module once instead of once per file. Tests leave no state behind: the suite runs shuffled.
    isolate: false,
    // Node loads the tests like the service, without a transform of each file. Unit tests take a third less time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    sequence: { sequencer: ByProject },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,tools,prepare,client,bench,console/src,test}/**/*.test.ts'],
          exclude: [
            ...[filesWithSuffix('integration'), filesWithSuffix('alone')],
            'test/{e2e,attack,faults,real-model}/**',
          ],
          testTimeout: 30_000,
          pool: 'threads',
          expect: { poll: pollOptions },
        },
      },
      {
        test: {
          name: 'integration',
          include: [filesWithSuffix('integration')],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: pollOptions },
        },
      },
      {
        test: {
          name: 'alone',
          include: [filesWithSuffix('alone')],
          ...demanding,
          isolate: true,
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      createStoreProject('sqlite', 'postgres'),
      createStoreProject('postgres', 'sqlite'),
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
      ...(process.env.FAULTS === 'whole' ? fullProjects : []),
      ...(process.env.REAL_MODEL ? [withRealModel] : []),
    ],
  },
})
