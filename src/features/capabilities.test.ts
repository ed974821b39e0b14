import { expect, it } from 'vitest'
import { capabilities } from './capabilities.ts'

const facts = {
  ...{ store: 'SQLite', blobs: 'files', storeFolder: undefined, blobsFolder: undefined },
  ...{ chromiumPath: undefined, tesseractPath: undefined, sandboxProblem: undefined },
  ...{
    python: undefined,
    agentBrowser: undefined,
    searchProviders: [],
    console: undefined,
    model: undefined,
  },
  ...{ searchIndex: 'on' as const, searchVectors: 'on-demand' as const },
}

it.each([
  ['/model', true, 'search ranks pages in English by their meaning, too'],
  [undefined, false, 'not found: search ranks by words alone'],
  ['off', false, 'switched off: search ranks by words alone'],
])('describes the sentence model if its folder is %s', (sentenceModel, available, note) => {
  const found = capabilities({ ...facts, sentenceModel }).find(({ name }) => name === 'sentence model')
  expect(found).toMatchObject({ available, note })
  expect(found?.enable === undefined).toBe(available)
})

it.each([
  [undefined, false, 'not configured'],
  [{ is: 'untested' as const }, true, 'small by openai, which is being tested'],
  [{ is: 'working' as const, isStrict: true }, true, 'small by openai, which holds its answers to a schema'],
  [{ is: 'working' as const, isStrict: false }, true, 'no strict schemas'],
  [
    { is: 'broken' as const, reason: 'status 401' },
    false,
    'small by openai is configured and does not answer: status 401',
  ],
])('describes the language model in state %o', (state, available, note) => {
  const model = state && { name: 'small', protocol: 'openai', state }
  const found = capabilities({ ...facts, sentenceModel: 'off', model }).find(
    ({ name }) => name === 'language model',
  )
  expect(found).toMatchObject({ available, note: expect.stringContaining(note) })
  expect(found?.enable === undefined).toBe(available)
})

it.each([
  ['on' as const, [], true, 'own pages only'],
  ['on' as const, ['searxng'], true, 'own pages, and searxng'],
  ['off' as const, ['searxng'], true, 'searxng; no own pages, because SEARCH_INDEX is off'],
  ['off' as const, [], false, 'SEARCH_INDEX is off, and SEARCH_PROVIDERS names no provider'],
])(
  'describes search with SEARCH_INDEX=%s and providers %j',
  (searchIndex, searchProviders, available, note) => {
    const all = capabilities({ ...facts, sentenceModel: '/model', searchIndex, searchProviders })
    expect(all.find(({ name }) => name === 'search')).toMatchObject({
      available,
      note: expect.stringContaining(note),
    })
  },
)

it('reports that the sentence model does not rank indexed pages with SEARCH_VECTORS=off', () => {
  const all = capabilities({ ...facts, sentenceModel: '/model', searchVectors: 'off' })
  expect(all.find(({ name }) => name === 'sentence model')?.note).toContain('no own pages')
})
