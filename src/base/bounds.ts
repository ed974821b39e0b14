/**
 * The limits of one request, by name: the maximum and what it limits. An error names the bound, OpenAPI shows it, and
 * `docs/limits.md` lists it.
 */
export const bounds = {
  MAX_JSON_DEPTH: { most: 64, unit: 'levels', of: 'Nesting of objects and lists in a body.' },
  MAX_JSON_VALUES: { most: 20_000, unit: 'values', of: 'Values in a body, including nested ones.' },
  MAX_URL_LENGTH: { most: 8192, unit: 'characters', of: 'A URL, of a page or of a webhook.' },
  MAX_BATCH_URLS: { most: 10_000, unit: 'entries', of: 'URLs of one batch.' },
  MAX_EXTRACT_URLS: { most: 10, unit: 'entries', of: '`urls` of an extract and of an agent.' },
  MAX_ID_LENGTH: { most: 200, unit: 'characters', of: 'An id in a path or a body.' },
  MAX_CURSOR_LENGTH: { most: 200, unit: 'characters', of: 'A cursor, or a number in a query.' },
  MAX_LABEL_LENGTH: { most: 200, unit: 'characters', of: '`origin` and `integration`.' },
  MAX_IDEMPOTENCY_KEY_LENGTH: { most: 256, unit: 'characters', of: 'The header `x-idempotency-key`.' },
  MAX_FORMATS: { most: 50, unit: 'entries', of: '`formats`.' },
  MAX_MODES: { most: 10, unit: 'entries', of: '`modes` of `changeTracking`.' },
  MAX_TAG_LENGTH: { most: 128, unit: 'characters', of: '`tag` of `changeTracking`.' },
  MAX_SCHEMA_BYTES: { most: 100_000, unit: 'bytes', of: 'A JSON schema, serialised as JSON.' },
  MAX_SCHEMA_NODES: { most: 10_000, unit: 'schemas', of: 'Schemas inside a JSON schema that are read.' },
  MAX_SCHEMA_DEPTH: {
    most: 64,
    unit: 'levels',
    of: 'References, `allOf`, `anyOf` and `oneOf` of a JSON schema that lead from one to the next.',
  },
  MAX_SCHEMA_STEPS: {
    most: 100_000,
    unit: 'steps',
    of: 'Work to read a JSON schema: about one step for each key, each time that a reference or `allOf` brings it in.',
  },
  MAX_SCHEMA_SECONDS: { most: 10, unit: 'seconds', of: 'Time to read a JSON schema.' },
  MAX_SELECTORS_SECONDS: { most: 10, unit: 'seconds', of: 'Time to read the CSS selectors of a request.' },
  MAX_PROMPT_SECONDS: { most: 10, unit: 'seconds', of: 'Time to read the prompt of a crawl.' },
  MAX_READ_SECONDS: {
    most: 60,
    unit: 'seconds',
    of: 'Time to read one page, or to compare two versions of it.',
  },
  MAX_MERGE_SECONDS: {
    most: 60,
    unit: 'seconds',
    of: 'Time to join the values of the pages of an extract or an agent.',
  },
  MAX_MODEL_ANSWER_BYTES: {
    most: 1_000_000,
    unit: 'bytes',
    of: 'An answer of the language model, as its server sends it.',
  },
  MAX_MODEL_ANSWER_SECONDS: {
    most: 20,
    unit: 'seconds',
    of: 'Time to check an answer of the language model against the schema or the page.',
  },
  MAX_PROMPT_LENGTH: { most: 10_000, unit: 'characters', of: '`prompt`.' },
  MAX_QUESTION_LENGTH: {
    most: 10_000,
    unit: 'characters',
    of: '`question`, `query` and `prompt` of the formats `question`, `highlights` and `query`.',
  },
  MAX_SUPPORT_QUESTION_LENGTH: { most: 8000, unit: 'characters', of: '`question` about the service.' },
  MAX_RATIONALE_LENGTH: {
    most: 2000,
    unit: 'characters',
    of: '`rationale` of a question to the support agent.',
  },
  MAX_CONTEXT_BYTES: {
    most: 50_000,
    unit: 'bytes',
    of: '`context` of a question to the support agent, as JSON.',
  },
  MAX_SEARCH_LENGTH: { most: 2000, unit: 'characters', of: '`search` of a map.' },
  MAX_QUERY_LENGTH: { most: 500, unit: 'characters', of: '`query` of a search.' },
  MAX_SEARCH_SOURCES: {
    most: 10,
    unit: 'entries',
    of: '`sources`, `categories` and `enterprise` of a search.',
  },
  MAX_SEARCH_DOMAINS: {
    most: 50,
    unit: 'entries',
    of: '`includeDomains` and `excludeDomains` of a search.',
  },
  MAX_HOSTNAME_LENGTH: { most: 253, unit: 'characters', of: 'A hostname.' },
  MAX_TBS_LENGTH: { most: 200, unit: 'characters', of: '`tbs` of a search.' },
  MAX_PAPER_FILTERS: {
    most: 20,
    unit: 'entries',
    of: '`authors` and `categories` of a search for papers.',
  },
  MAX_PAPER_ANCHORS: { most: 10, unit: 'entries', of: '`anchor` of a search for related papers.' },
  MAX_DEVELOPER_TYPES: { most: 10, unit: 'entries', of: '`types` of a developer search.' },
  MAX_DEVELOPER_REPOS: { most: 20, unit: 'entries', of: '`repos` and `sources` of a developer search.' },
  MAX_DEVELOPER_TOPICS: { most: 8, unit: 'entries', of: '`topic` of a developer search.' },
  MAX_SELECTORS: {
    most: 100,
    unit: 'entries',
    of: '`includeTags`, `excludeTags`, and the selectors of `attributes`.',
  },
  MAX_SELECTOR_LENGTH: { most: 2000, unit: 'characters', of: 'A CSS selector.' },
  MAX_SELECTORS_LENGTH: { most: 20_000, unit: 'characters', of: 'All selectors of one list together.' },
  MAX_SELECTOR_DEPTH: {
    most: 8,
    unit: 'levels',
    of: 'Nested brackets in a selector, such as `:not` and `:has`.',
  },
  MAX_SELECTOR_STEPS: {
    most: 20_000_000,
    unit: 'steps',
    of: 'Work of all selectors of a request on one page: about one step for each element and each part of a selector.',
  },
  MAX_ATTRIBUTE_LENGTH: { most: 200, unit: 'characters', of: 'Name of an attribute.' },
  MAX_HEADERS: { most: 100, unit: 'entries', of: '`headers`.' },
  MAX_HEADER_NAME_LENGTH: { most: 200, unit: 'characters', of: 'Name of a header.' },
  MAX_HEADER_LENGTH: { most: 8192, unit: 'characters', of: 'Value of a header.' },
  MAX_HEADERS_BYTES: { most: 32_768, unit: 'bytes', of: 'Names and values of `headers` together.' },
  MAX_LANGUAGES: { most: 20, unit: 'entries', of: '`languages` of a location.' },
  MAX_LANGUAGE_LENGTH: { most: 35, unit: 'characters', of: 'A language, such as `de-AT`.' },
  MAX_PARSERS: { most: 10, unit: 'entries', of: '`parsers`.' },
  MAX_ENTITIES: { most: 20, unit: 'entries', of: '`entities` of `redactPII`.' },
  MAX_PROFILE_NAME_LENGTH: { most: 128, unit: 'characters', of: 'Name of a profile.' },
  MAX_ACTIONS: { most: 50, unit: 'entries', of: '`actions`.' },
  MAX_SCRIPT_LENGTH: {
    most: 100_000,
    unit: 'characters',
    of: 'A script in `actions`, and `code` of a session.',
  },
  MAX_SCRIPTS_LENGTH: { most: 500_000, unit: 'characters', of: 'All scripts in `actions` together.' },
  MAX_TEXT_LENGTH: { most: 10_000, unit: 'characters', of: 'Text that an action types.' },
  MAX_KEY_LENGTH: { most: 100, unit: 'characters', of: 'Name of a key that an action presses.' },
  MAX_PATTERNS: { most: 1000, unit: 'entries', of: '`includePaths` and `excludePaths`.' },
  MAX_PATTERN_LENGTH: { most: 2000, unit: 'characters', of: 'A pattern.' },
  MAX_PATTERN_SIZE: {
    most: 2000,
    unit: 'parts',
    of: 'A pattern with its repetitions expanded: `a{10}` has 10 parts. A class of more than 32 characters counts one part more for every four.',
  },
  MAX_PATTERNS_SIZE: {
    most: 20_000,
    unit: 'parts',
    of: 'All patterns of one list together, counted in the same way.',
  },
  MAX_PATTERN_MS: {
    most: 5,
    unit: 'ms',
    of: 'Time to match the patterns against one URL; if many URLs take longer, the job ends.',
  },
  MAX_AGENT_NAME_LENGTH: { most: 200, unit: 'characters', of: '`robotsUserAgent`.' },
  MAX_WEBHOOK_EVENTS: { most: 50, unit: 'entries', of: '`events` of a webhook.' },
  MAX_EVENT_LENGTH: { most: 100, unit: 'characters', of: 'Name of an event.' },
  MAX_METADATA_BYTES: { most: 10_000, unit: 'bytes', of: '`metadata` of a webhook, serialised as JSON.' },
  MAX_FEEDBACK_SOURCES: {
    most: 50,
    unit: 'entries',
    of: '`valuableSources` and `valuableResultPositions` of feedback.',
  },
  MAX_FEEDBACK_REASON_LENGTH: { most: 1000, unit: 'characters', of: '`reason` of a valuable source.' },
  MAX_FEEDBACK_TOPICS: { most: 20, unit: 'entries', of: '`missingContent` of feedback.' },
  MAX_FEEDBACK_TOPIC_LENGTH: { most: 200, unit: 'characters', of: '`topic` of missing content.' },
  MAX_FEEDBACK_TEXT_LENGTH: {
    most: 2000,
    unit: 'characters',
    of: '`description` of missing content, and `querySuggestions`.',
  },
  MAX_FEEDBACK_TAGS: { most: 20, unit: 'entries', of: '`issues` and `tags` of feedback.' },
  MAX_FEEDBACK_TAG_LENGTH: { most: 80, unit: 'characters', of: 'An issue or a tag.' },
  MAX_FEEDBACK_NOTE_LENGTH: { most: 4000, unit: 'characters', of: '`note` of feedback.' },
  MAX_FEEDBACK_PAGES: { most: 100, unit: 'entries', of: '`pageNumbers` of feedback.' },
  MAX_FEEDBACK_METADATA_BYTES: {
    most: 8192,
    unit: 'bytes',
    of: '`metadata` of feedback, serialised as JSON.',
  },
  MAX_TEAM_NAME_LENGTH: { most: 100, unit: 'characters', of: 'Name of a team.' },
  MAX_TEAM_CONCURRENCY: { most: 10_000, unit: 'slots', of: '`concurrency` of a team.' },
  MAX_GRANTED_CREDITS: { most: 1_000_000_000, unit: 'credits', of: 'Credits of one grant.' },
  MAX_USAGE_DAYS: { most: 90, unit: 'days', of: '`days` of the usage of a team.' },
  MAX_CONSOLE_CODE_LENGTH: { most: 200, unit: 'characters', of: 'The code of a link to the console.' },
  MAX_BLOCKS: {
    most: 5000,
    unit: 'blocks',
    of: 'Blocks of a page that the format `blocks` returns; the rest is left out with a warning.',
  },
  MAX_VERSIONS: {
    most: 10,
    unit: 'versions',
    of: 'Versions of a tracked page that are kept, the last one included; the oldest make room.',
  },
  MAX_ZIP_FILES: {
    most: 100_000,
    unit: 'files',
    of: 'Pages of a crawl or a batch that can be downloaded as a zip; more of them as `jsonl` or `csv`.',
  },
  MAX_WAITING_EVENTS: {
    most: 1000,
    unit: 'events',
    of: 'Events that wait for the reader of `/v2/team/events`; the stream is closed beyond.',
  },
  MAX_MCP_CHARACTERS: {
    most: 200_000,
    unit: 'characters',
    of: '`maxCharacters` of a tool at `/mcp`: page text in one answer.',
  },
  MAX_MCP_WAIT_SECONDS: { most: 300, unit: 'seconds', of: '`waitSeconds` of a tool at `/mcp`.' },
  MAX_MCP_CONTENT_LENGTH: {
    most: 20_000_000,
    unit: 'characters',
    of: '`content` of the tool `parse` at `/mcp`: a file as text or in base64.',
  },
  MAX_MCP_PAGES: { most: 100, unit: 'pages', of: '`limit` of the tool `job_status` at `/mcp`.' },
  MAX_MCP_LINKS: { most: 5000, unit: 'entries', of: '`limit` of the tool `map` at `/mcp`.' },
  MAX_MCP_OFFSET: { most: 1_000_000_000, unit: 'entries', of: '`offset` and `skip` of a tool at `/mcp`.' },
  MAX_MCP_MESSAGES: { most: 50, unit: 'messages', of: 'Messages in one request to `/mcp`.' },
  MAX_FILE_NAME_LENGTH: {
    most: 255,
    unit: 'characters',
    of: 'Name of a file that is uploaded or sent as text.',
  },
  MAX_OPTION_BYTES: {
    most: 100_000,
    unit: 'bytes',
    of: 'An option that the schema knows only to reject it, serialised as JSON.',
  },
} as const satisfies Record<string, { most: number; unit: string; of: string }>

export type BoundName = keyof typeof bounds

/** The error text. */
export function exceeds(name: BoundName): string {
  const { most, unit } = bounds[name]
  return `More than ${name} allows: at most ${most} ${unit}.`
}

/** The bound that an error text of `exceeds` names. */
export function boundNamed(text: string): { bound: BoundName; most: number } | undefined {
  const name = /\bMAX_[A-Z_]+\b/.exec(text)?.[0]
  const bound = boundNames.find((candidate) => candidate === name)
  return bound && { bound, most: bounds[bound].most }
}

const boundNames = Object.keys(bounds) as BoundName[]
