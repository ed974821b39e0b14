import { expect, it } from 'vitest'
import { capabilities } from './capabilities.ts'

const facts = {
  ...{ store: 'SQLite', blobs: 'files', storeFolder: undefined, blobsFolder: undefined },
  ...{ chromiumPath: undefined, tesseractPath: undefined, sandboxObstacle: undefined },
  ...{ python: undefined, agentBrowser: undefined, searchProviders: [] },
}

it.each([
  ['/model', true, 'search ranks pages in English by their meaning, too'],
  [undefined, false, 'not found: search ranks by words alone'],
  ['off', false, 'switched off: search ranks by words alone'],
])('the sentence model is told of where it is %s', (sentenceModel, available, note) => {
  const found = capabilities({ ...facts, sentenceModel }).find(({ name }) => name === 'sentence model')
  expect(found).toMatchObject({ available, note })
  expect(found?.enable === undefined).toBe(available)
})
