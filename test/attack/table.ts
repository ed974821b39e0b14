import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { deployOnPostgres, deployOnSqlite } from '../deployment.ts'
import { temporaryFolder } from '../service.ts'
import { provideDeployment } from '../setup/provide.ts'
import type { TableRow } from './attack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    attackTable: string
  }
}

/**
 * Starts one service for all attacks that do not need their own. `npm run attack` ends with a table of all classes.
 * In `npm test` a full table would hide the failures above it, so it lists only classes with hits.
 */
export async function setup(project: TestProject) {
  const folder = temporaryFolder()
  const file = join(folder.path, 'rows')
  project.provide('attackTable', file)
  const deploy = process.env.ATTACK_STORE === 'postgres' ? deployOnPostgres : deployOnSqlite
  const stop = await provideDeployment(project, deploy)
  return async () => {
    await stop()
    if (existsSync(file)) console.log(tableOf(readFileSync(file, 'utf8')))
    folder.remove()
  }
}

/** Same value as in attack.ts, which only tests can import. */
const isWhole = process.env.ATTACK === 'whole'

function tableOf(lines: string): string {
  const rows: TableRow[] = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  rows.sort((left, right) => left.name.localeCompare(right.name))
  const total = (column: 'vectors' | 'hits') => rows.reduce((sum, row) => sum + row[column], 0)
  const width = Math.max(...rows.map(({ name }) => name.length))
  const line = (name: string, vectors: string | number, hits: string | number) =>
    `  ${name.padEnd(width)}  ${String(vectors).padStart(7)}  ${String(hits).padStart(4)}`
  return [
    '',
    line('class', 'vectors', 'hits'),
    ...rows
      .filter(({ hits }) => isWhole || hits > 0)
      .map(({ name, vectors, hits }) => line(name, vectors, hits)),
    line('all', total('vectors'), total('hits')),
    '',
  ].join('\n')
}
