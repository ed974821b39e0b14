import { expect, it } from 'vitest'
import { parseQuery } from '../../search/query/parse-query.ts'
import { presentResults } from './present-results.ts'

const result = { url: 'https://a.test/', title: 'A', text: 'All about tea.' }
const order = {
  ...{ query: parseQuery('tea'), signal: new AbortController().signal },
  lists: [{ source: 'web' as const, results: [result] }],
}

it('shows results without marks where the thread of the index fails', async () => {
  const failing = { ask: async () => Promise.reject(new Error('file is not a database')) }
  expect(await presentResults(failing, order)).toEqual({
    web: [{ title: 'A', description: 'All about tea.', url: 'https://a.test/', position: 1 }],
  })
})

it('ends with its caller', async () => {
  const signal = AbortSignal.abort(new Error('gone'))
  const failing = { ask: async () => Promise.reject(new Error('gone')) }
  await expect(presentResults(failing, { ...order, signal })).rejects.toThrow('gone')
})
