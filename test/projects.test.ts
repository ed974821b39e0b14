import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import config from '../vitest.config.ts'

const root = join(import.meta.dirname, '..')
const projects = (config.test?.projects ?? []) as {
  test: { name: string; include: string[]; exclude?: string[] }
}[]

/** Returns the projects that run each file. Files for the other store run only in `npm run faults`. */
function findProjects(): Map<string, string[]> {
  const runs = new Map<string, string[]>()
  for (const { test } of projects) {
    const excluded = new Set(globSync(test.exclude ?? [], { cwd: root }))
    for (const file of globSync(test.include, { cwd: root, exclude: ['**/node_modules/**'] }))
      if (!excluded.has(file)) runs.set(file, [...(runs.get(file) ?? []), test.name])
  }
  return runs
}

it('every test file is run by exactly one project, unless it is run on two stores', () => {
  const runs = findProjects()
  const roots = '{src,test,tools,prepare,client,bench,console/src}/**/*.test.{ts,tsx}'
  const files = globSync(roots, { cwd: root, exclude: ['**/node_modules/**', 'test/real-model/**'] })
  expect(files.length).toBeGreaterThan(400)
  expect(files.filter((file) => !runs.has(file))).toEqual([])
  const twice = [...runs].filter(([file, names]) => names.length > 1 && !file.startsWith('test/e2e/'))
  expect(twice).toEqual([])
})
