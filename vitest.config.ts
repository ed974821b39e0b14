import { defineConfig } from 'vitest/config'
import { compileCacheEnvironment } from './src/base/compile-cache.ts'
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

const e2e = (name: string) => `test/e2e/${name}.test.ts`

/**
 * What says nothing about the store is shown on one of them. These need one process, and most of them one of their own,
 * with settings of their own.
 */
const onSqliteOnly = [
  ...[
    'actions',
    'bad-input',
    'browser',
    'client-python',
    'client-library-python',
    'doctor-faults',
    'execute',
    'formats',
    'guard',
  ],
  ...['large-page', 'last-resort', 'map', 'parse', 'parse-pdf', 'parse-refusals', 'profile-service'],
  ...['proxy', 'readiness', 'rebinding', 'scrape-files', 'service', 'sessions-team', 'identity', 'blocked'],
  ...['caller-headers', 'hidden-text', 'late-content', 'page-text', 'page-title', 'engines', 'hash-routes'],
  ...['records', 'v1-calls', 'client-v1-python', 'langchain-v1', 'client-library', 'client-library-faults'],
  ...['client-library-packed', 'client-library-restart', 'cli', 'cli-browser', 'cli-service'],
  ...['cli-terminal', 'mcp', 'client-mcp', 'client-cli', 'mcp-stdio'],
  ...['search-web', 'search-keyed', 'json', 'support', 'docs-search', 'console', 'console-key'],
  ...['console-playground', 'console-work', 'reference', 'telemetry', 'guides', 'docs-site'],
  ...['console-newcomer', 'console-pages', 'agent-browse', 'crawl-rules', 'crawl-texts', 'research', 'v1'],
  ...['main-content-mode', 'passages', 'blocks', 'redact', 'clean-content', 'client-reading', 'planted'],
].map(e2e)
/** These are harder where several processes answer: a call may come to another one than the last. */
const onPostgresOnly = [
  ...[
    'client',
    'client-extract',
    'client-sessions',
    'client-sites',
    'client-v1',
    'interact',
    'own-listeners',
    'profile',
    'remote-browser',
    'client-habits',
    'sessions',
  ],
].map(e2e)

/**
 * `npm test` runs these on one store, and `npm run faults` on the other one: on PostgreSQL first if several processes change
 * what they test.
 */
const laterOnSqlite = [
  ...['cached-answer', 'extract-kill', 'model-budget', 'sessions-kill', 'team', 'webhooks'],
].map(e2e)
const laterOnPostgres = [
  ...['agent', 'client-library-python-faults', 'client-library-python-own', 'feedback', 'operator'],
  ...['tracked-values', 'zero-retention'],
].map(e2e)

const tests = [...['{src,tools,prepare,client,bench,console/src}/**/*.test.ts', 'test/*.test.ts']]
/** These start a browser, a server, a thread or another program, or show on large input that time does not grow beyond it. */
const integration = [
  ...['adapters', 'browser', 'compose', 'network', 'page-threads', 'remote-browser', 'telemetry'].map(
    (area) => `src/${area}/**/*.test.ts`,
  ),
  ...[
    '{prepare,client}/**/*.test.ts',
    'test/corpus/generators.test.ts',
    'test/{newcomer,servers,site}/**/*.test.ts',
    'src/**/{hostile,large}.test.ts',
  ],
  ...[
    'base/compile-cache',
    'base/child/child-pool',
    'base/child/thread-program',
    'store/job-reads',
    'store/search-pending',
    'documents/convert',
    'documents/check',
    'documents/charset',
    'features/scrape/audio',
    'search/indexing',
    'search/sentence-model/model-process',
    'search/index/index',
    'search/index/search-index',
    'search/index/meaning',
    'search/index/pgvector',
    'http/server',
  ].map((name) => `src/${name}.test.ts`),
  ...['features/scrape/change-tracking', 'features/discover/sitemaps', 'webhooks/deliverer'].map(
    (name) => `src/${name}.test.ts`,
  ),
  ...['to-markdown', 'round-trip'].map((name) => `src/content/markdown/${name}.test.ts`),
]

/** It measures the memory of its own process, so nothing else runs in that. */
const measuresItself = 'src/remote-browser/code/hostile.test.ts'

const onStore = (name: 'sqlite' | 'postgres', exclude: string[]) => ({
  test: { ...endToEnd, name, include: [e2e('*')], exclude, globalSetup: `test/setup/${name}.ts` },
})

/** Runs in `npm run faults`. The test of kills is longer there than in `npm test`. */
const wholeFormOn = (store: 'sqlite' | 'postgres', files: string[]) => ({
  test: {
    ...endToEnd,
    name: `whole-${store}`,
    include: [...files, e2e('kill-sites')],
    globalSetup: `test/setup/${store}.ts`,
  },
})
const wholeForm = [wholeFormOn('sqlite', laterOnSqlite), wholeFormOn('postgres', laterOnPostgres)]

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
          include: tests,
          exclude: integration,
          testTimeout: 30_000,
          pool: 'threads',
          expect: { poll: patience },
        },
      },
      {
        test: {
          name: 'integration',
          include: integration,
          exclude: [measuresItself],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: patience },
        },
      },
      {
        test: {
          name: 'alone',
          include: [measuresItself],
          ...demanding,
          isolate: true,
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      onStore('sqlite', [...onPostgresOnly, ...laterOnSqlite]),
      onStore('postgres', [...onSqliteOnly, ...laterOnPostgres]),
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
