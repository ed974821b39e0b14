import { expect, it } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { ByProject } from './by-project.ts'

const files = Array.from({ length: 20 }, (_, index) => ({
  moduleId: `/${index}.test.ts`,
  project: { name: index % 2 === 0 ? 'even' : 'odd' },
})) as TestSpecification[]

async function sortFiles(seed: number): Promise<string[]> {
  const context = { config: { sequence: { shuffle: true, seed } } } as Vitest
  const sorted = await new ByProject(context).sort(files)
  return sorted.map(({ moduleId, project }) => `${project.name} ${moduleId}`)
}

it('shuffles the files of each project with the seed, and keeps the files of a project together', async () => {
  const sorted = await sortFiles(1)
  expect(sorted.map((name) => name.split(' ')[0])).toEqual([
    ...Array(10).fill('even'),
    ...Array(10).fill('odd'),
  ])
  expect(sorted).not.toEqual(sorted.toSorted())
  expect(await sortFiles(1)).toEqual(sorted)
  expect(await sortFiles(2)).not.toEqual(sorted)
  expect((await sortFiles(2)).toSorted()).toEqual(sorted.toSorted())
})
