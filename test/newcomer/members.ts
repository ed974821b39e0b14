/** One additional member of each family: a separate file, and one line in a list. */
export interface Member {
  family: string
  file?: { path: string; text: string }
  list: Line
  /** Second line for lists that are not lists of exports: the import. */
  also?: Line
}

interface Line {
  path: string
  line: string
  before?: string
}

export const members: Member[] = [
  {
    family: 'a format',
    file: {
      path: 'src/extraction/formats/word-count.ts',
      text: `import { z } from 'zod'
import { defineFormat } from './format.ts'

export const wordCount = defineFormat({
  name: 'wordCount',
  description: 'How many words the page has.',
  readsFrom: 'page',
  options: {},
  output: { wordCount: z.int().describe('Words of the Markdown.') },
  reads: () => ({ words: true }),
  render: (content) => ({ wordCount: content.words() }),
})
`,
    },
    list: { path: 'src/extraction/formats/all.ts', line: "export { wordCount } from './word-count.ts'" },
  },
  {
    family: 'a page part',
    file: {
      path: 'src/extraction/page-parts/parts/words.ts',
      text: `import { definePart } from './part.ts'

export const words = definePart({ make: ({ content }) => content.markdown().split(/\\s+/).length })
`,
    },
    list: { path: 'src/extraction/page-parts/parts/all.ts', line: "export { words } from './words.ts'" },
  },
  {
    family: 'an action',
    file: {
      path: 'src/fetch/actions/hover.ts',
      text: `import { defineAction, selector } from './action.ts'

export const hover = defineAction({
  type: 'hover',
  description: 'Moves the pointer over an element.',
  isRepeated: true,
  fields: { selector },
  example: { selector: 'nav' },
  run: (page, fields, { timeoutMs }) => page.hover(fields.selector, { timeout: timeoutMs }),
})
`,
    },
    list: { path: 'src/fetch/actions/all.ts', line: "export { hover } from './hover.ts'" },
  },
  {
    family: 'an error',
    list: {
      path: 'src/platform/error-table.json',
      line: '  "TEAPOT": { "status": 418, "message": "This service makes no coffee. Ask it for tea." },',
      before: '  "BAD_REQUEST": {',
    },
  },
  {
    family: 'an endpoint',
    file: {
      path: 'src/api/endpoints/coffee.ts',
      text: `import { z } from 'zod'
import { AppError } from '../../platform/errors.ts'
import { defineEndpoint, envelope } from '../endpoint.ts'

export const getCoffee = defineEndpoint({
  method: 'GET',
  path: '/v2/coffee',
  summary: 'Refuses to make coffee',
  tag: 'Service',
  response: envelope({ cups: z.int() }),
  errors: ['TEAPOT'],
  handle() {
    throw new AppError('TEAPOT')
  },
})
`,
    },
    list: { path: 'src/api/endpoints/all.ts', line: "export { getCoffee } from './coffee.ts'" },
  },
  {
    family: 'a document type',
    file: {
      path: 'src/documents/types/ini.ts',
      text: `import { defineDocumentType } from './document-type.ts'

export const ini = defineDocumentType({
  name: 'ini',
  extensions: ['ini'],
  mediaTypes: ['text/x-ini'],
  container: 'text',
  converter: async () => ({
    convert: async (bytes) => ({
      markdown: bytes.toString().replaceAll(/^\\[(.*)\\]$/gm, '## $1'),
      ...{ html: '', metadata: {}, links: [], images: [], warnings: [] },
    }),
  }),
})
`,
    },
    list: { path: 'src/documents/types/all.ts', line: "export { ini } from './ini.ts'" },
  },
  {
    family: 'a search provider',
    file: {
      path: 'src/search/providers/open-library.ts',
      text: `import { z } from 'zod'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { buildCallUrl, truncateQuery } from './calls.ts'
import type { SearchProvider } from './provider.ts'
import { readJsonResponse } from './read-response.ts'
import { normalizeResults } from './normalize-results.ts'

const answerShape = z.object({ docs: z.array(z.object({ key: z.string(), title: z.string() })) })

export const openLibrary: SearchProvider = {
  name: 'open-library',
  description: 'Books, by the search of the Open Library.',
  serves: ['web'],
  base: 'https://openlibrary.org',
  requires: 'nothing',
  abilities: {
    dialect: plainWords,
    ...{ dates: 'none', sortsByDate: false, country: false, language: false, location: false },
  },
  pauseMs: 1000,
  maxResults: 100,
  call({ query, limit }, { base }) {
    const words = truncateQuery(writeQuery(query, plainWords).text, 200)
    const url = buildCallUrl({ base }, '/search.json', { q: words, limit: String(limit) })
    return { method: 'GET', url, headers: { accept: 'application/json' } }
  },
  read(answer) {
    const { docs } = readJsonResponse(answer, answerShape, 'Open Library')
    return normalizeResults(docs.map(({ key, title }) => ({ url: \`https://openlibrary.org\${key}\`, title })))
  },
}
`,
    },
    list: { path: 'src/search/providers/all.ts', line: "import { openLibrary } from './open-library.ts'" },
    also: { path: 'src/search/providers/all.ts', line: '  openLibrary,', before: '  openverse,' },
  },
]
