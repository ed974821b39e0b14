export interface Oversized {
  what: string
  path: string
  body: object | string
  bound: string
  headers?: Record<string, string>
}

const url = 'https://a.example/'
const long = (length: number) => 'a'.repeat(length)
const repeat = <Entry>(count: number, entry: Entry) => Array.from({ length: count }, () => entry)

const inFeedback: [field: string, value: unknown, bound: string][] = [
  ['valuableSources', repeat(51, { url }), 'MAX_FEEDBACK_SOURCES'],
  ['valuableSources', [{ url, reason: long(1001) }], 'MAX_FEEDBACK_REASON_LENGTH'],
  ['missingContent', repeat(21, { topic: 'x' }), 'MAX_FEEDBACK_TOPICS'],
  ['missingContent', [{ topic: long(201) }], 'MAX_FEEDBACK_TOPIC_LENGTH'],
  ['querySuggestions', long(2001), 'MAX_FEEDBACK_TEXT_LENGTH'],
  ['tags', repeat(21, 'x'), 'MAX_FEEDBACK_TAGS'],
  ['issues', [long(81)], 'MAX_FEEDBACK_TAG_LENGTH'],
  ['note', long(4001), 'MAX_FEEDBACK_NOTE_LENGTH'],
  ['pageNumbers', repeat(101, 1), 'MAX_FEEDBACK_PAGES'],
  ['metadata', { text: long(8192) }, 'MAX_FEEDBACK_METADATA_BYTES'],
]

const inDeveloperSearch: typeof inFeedback = [
  ['query', long(2001), 'MAX_SEARCH_LENGTH'],
  ['types', repeat(11, 'doc'), 'MAX_DEVELOPER_TYPES'],
  ['repos', repeat(21, 'a/b'), 'MAX_DEVELOPER_REPOS'],
  ['topic', repeat(9, 'x'), 'MAX_DEVELOPER_TOPICS'],
]

const jobId = '00000000-0000-7000-8000-000000000000'

/** Values of feedback and developer search that exceed their bounds. */
export const searchSizes: Oversized[] = [
  ...inFeedback.map(([field, value, bound]) => ({
    ...{ what: `feedback: ${field}`, path: '/v2/feedback', bound },
    body: { endpoint: 'scrape', jobId, rating: 'bad', [field]: value },
  })),
  ...inDeveloperSearch.map(([field, value, bound]) => ({
    ...{ what: `developer search: ${field}`, path: '/v2/search/developer', bound },
    body: { query: 'x', [field]: value },
  })),
]
