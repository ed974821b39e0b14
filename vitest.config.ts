import { defineConfig } from 'vitest/config'

const endToEnd = {
  include: ['test/e2e/**/*.test.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    // Two cores: more workers would only make real processes wait for each other.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{src,prepare,client}/**/*.test.ts',
            'test/{servers,site}/**/*.test.ts',
            'test/*.test.ts',
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      { test: { ...endToEnd, name: 'sqlite', globalSetup: 'test/setup/sqlite.ts' } },
      { test: { ...endToEnd, name: 'postgres', globalSetup: 'test/setup/postgres.ts' } },
      {
        test: {
          ...endToEnd,
          name: 'attack',
          include: ['test/attack/**/*.test.ts'],
          globalSetup: 'test/attack/table.ts',
        },
      },
      { test: { ...endToEnd, name: 'faults', include: ['test/faults/**/*.test.ts'] } },
    ],
  },
})
