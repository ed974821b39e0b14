import { expect, it } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { ByProject } from './by-project.ts'

const files = Array.from({ length: 20 }, (_, index) => ({
  moduleId: `/${index}.test.ts`,
  project: { name: index % 2 === 0 ? 'even' : 'odd' },
})) as TestSpecification[]

async function order(seed: number): Promise<string[]> {
  const context = { config: { sequence: { shuffle: true, seed } } } as Vitest
  const sorted = await new ByProject(context).sort(files)
  return sorted.map(({ moduleId, project }) => `${project.name} ${moduleId}`)
}

it('shuffles the files of each project by the seed, and keeps projects together', async () => {
  const sorted = await order(1)
  expect(sorted.map((name) => name.split(' ')[0])).toEqual([
    ...Array(10).fill('even'),
    ...Array(10).fill('odd'),
  ])
  expect(sorted).not.toEqual(sorted.toSorted())
  expect(await order(1)).toEqual(sorted)
  expect(await order(2)).not.toEqual(sorted)
  expect((await order(2)).toSorted()).toEqual(sorted.toSorted())
})
