// Generated from docs/openapi.json by `npm run generate`.

export type AbsentSearchSource = "alexandria" | "exchange" | {
  type: "alexandria" | "exchange"
}

export type Action = ClickAction | ExecuteJavascriptAction | PdfAction | PressAction | ScrapeAction | ScreenshotAction | ScrollAction | WaitAction | WriteAction

export type ActionResults = {
  screenshots: string[]
  scrapes: {
    url: string
    html: string
  }[]
  javascriptReturns: {
    type: string
    value: unknown
  }[]
  pdfs: string[]
}

export type AgentListItem = {
  id: string
  createdAt: string
  targetHint: string
  origin: string
  integration?: string
  settings: {
    hidden: boolean
    starred: boolean
  }
  /** A cancelled run has status `failed` and stopReason `cancelled`. */
  status: "processing" | "completed" | "failed"
  options: {
    urls: string[]
    prompt: string
    schema?: unknown
    model: string
    effort?: "low" | "medium" | "high"
  }
}

export type AgentRequest = {
  /** Task in natural language. */
  prompt: string
  /** Start URLs. A URL that ends in /* includes the pages of the site below it. */
  urls?: string[]
  /** JSON schema of the values. Default: derived from the prompt. */
  schema?: unknown
  /** Maximum total cost. The run reads no page and searches nothing beyond it. */
  maxCredits?: number
  /** Read only the pages in urls. */
  strictConstrainToURLs?: boolean
  /** No effect: the language model of this installation is used. */
  model?: "spark-1-pro" | "spark-1-mini" | "spark-2"
  /** Maximum number of steps: low 5, medium 10, high 20. Default: medium. */
  effort?: "low" | "medium" | "high"
  /** Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events. */
  webhook?: string | AgentWebhook
  /** Id of a conversation to continue; the agent knows its previous runs. */
  threadId?: string
  /** extract: values in data; chat: an answer in natural language in message. */
  mode?: "extract" | "chat"
  /** No effect: there are no paid providers. */
  exchange?: unknown
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type AgentStatus = {
  success: true
  /** A cancelled run has status `failed` and stopReason `cancelled`. */
  status: "processing" | "completed" | "failed"
  data?: unknown
  /** Answer of the agent in the mode chat. */
  message?: string
  error?: string
  code?: string
  /** Reason for an early end: cancelled, credit_limit_reached, step_limit, model. */
  stopReason?: string
  /** Source pages of each value, by its path. */
  sources?: Record<string, string[]>
  /** Fields for which pages contain different values: each value with its pages. */
  conflicts?: Conflict[]
  model: string
  effort?: "low" | "medium" | "high"
  mode: "extract" | "chat"
  threadId: string
  threadTurn: number
  expiresAt: string
  creditsUsed: number
  warning?: string
}

export type AgentThread = {
  id: string
  createdAt: string
  updatedAt: string
  status: "idle" | "running"
  runs: {
    id: string
    turn: number
    mode: "extract" | "chat"
    prompt: string
    urls: string[]
    schema?: unknown
    effort?: "low" | "medium" | "high"
    status: "processing" | "succeeded" | "failed" | "cancelled" | "credit_limit_reached"
    createdAt: string
    finishedAt: string | null
    creditsUsed: number
    message: string | null
    /** Only with includeData. */
    data?: unknown
  }[]
}

export type AgentTrace = {
  success: true
  id: string
  events: AgentTraceEvent[]
  creditsUsed: number
  activeBrowserSessions?: unknown[]
  warning?: string
}

export type AgentTraceEvent = {
  schemaVersion: 1
  eventId: string
  runId: string
  occurredAt: string
  producerSequence: number
  agent: {
    id: string
    role: "orchestrator"
    name: string
  }
  type: string
  [name: string]: unknown
}

export type AgentWebhook = {
  url: string
  /** Headers sent with each delivery. */
  headers?: Record<string, string>
  /** Returned unchanged in each delivery. */
  metadata?: Record<string, unknown>
  /** Events that are delivered. Default: all. */
  events?: string[]
}

export type AttributesFormat = {
  type: "attributes"
  /** Pairs of selector and attribute. */
  selectors: {
    /** CSS selector of the elements. */
    selector: string
    /** Name of the attribute. */
    attribute: string
  }[]
}

export type AudioFormat = {
  type: "audio"
}

export type BatchScrapeRequest = ScrapeOptions & {
  /** URLs to scrape. */
  urls: string[]
  /** Skip invalid URLs instead of rejecting the call. */
  ignoreInvalidURLs?: boolean
  /** Id of a running or completed batch of the team, to which the URLs are added. */
  appendToId?: string
  /** Maximum number of concurrently scraped pages. Default: the slots of the team. */
  maxConcurrency?: number
  /** Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events. */
  webhook?: string | Webhook
  /** Not available for batches, because their results are stored. */
  zeroDataRetention?: boolean
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type BlocksFormat = {
  type: "blocks"
}

export type Branding = {
  colorScheme: "light" | "dark"
  /** URL of the logo; an inline SVG is returned as a data URL. */
  logo: string | null
  brandName?: string
  colors?: {
    /** Color as #RRGGBB. */
    primary?: string
    /** Color as #RRGGBB. */
    secondary?: string
    /** Color as #RRGGBB. */
    accent?: string
    /** Color as #RRGGBB. */
    background?: string
    /** Color as #RRGGBB. */
    textPrimary?: string
    /** Color as #RRGGBB. */
    textSecondary?: string
    /** Color as #RRGGBB. */
    link?: string
    /** Color as #RRGGBB. */
    success?: string
    /** Color as #RRGGBB. */
    warning?: string
    /** Color as #RRGGBB. */
    error?: string
    [name: string]: unknown
  }
  fonts?: {
    family: string
    [name: string]: unknown
  }[]
  typography?: {
    fontFamilies?: {
      primary?: string
      heading?: string
      code?: string
      [name: string]: unknown
    }
    fontStacks?: {
      primary?: string[]
      heading?: string[]
      body?: string[]
      paragraph?: string[]
      [name: string]: unknown
    }
    fontSizes?: {
      h1?: string
      h2?: string
      h3?: string
      body?: string
      small?: string
      [name: string]: unknown
    }
    fontWeights?: {
      light?: number
      regular?: number
      medium?: number
      bold?: number
      [name: string]: unknown
    }
    lineHeights?: {
      heading?: string
      body?: string
      [name: string]: unknown
    }
    [name: string]: unknown
  }
  spacing?: {
    baseUnit?: number
    borderRadius?: string
    /** Padding of buttons, fields, cards and sections, in pixels. */
    padding?: Record<string, number>
    /** Margin below headings, paragraphs and sections, in pixels. */
    margins?: Record<string, number>
    gridGutter?: number
    [name: string]: unknown
  }
  components?: {
    buttonPrimary?: {
      /** Color as #RRGGBB. */
      background?: string
      /** Color as #RRGGBB. */
      textColor?: string
      /** Color as #RRGGBB. */
      borderColor?: string
      borderRadius?: string
      [name: string]: unknown
    }
    buttonSecondary?: {
      /** Color as #RRGGBB. */
      background?: string
      /** Color as #RRGGBB. */
      textColor?: string
      /** Color as #RRGGBB. */
      borderColor?: string
      borderRadius?: string
      [name: string]: unknown
    }
    input?: {
      /** Color as #RRGGBB. */
      borderColor?: string
      borderRadius?: string
      [name: string]: unknown
    }
    [name: string]: unknown
  }
  icons?: {
    /** Style of icons: outline or filled. */
    style?: string
    /** Color as #RRGGBB. */
    primaryColor?: string
    [name: string]: unknown
  }
  animations?: Record<string, unknown>
  layout?: Record<string, unknown>
  /** Derived from shapes, fonts and colours, if enough of them agree. */
  personality?: {
    tone?: "professional" | "playful" | "modern" | "traditional" | "minimalist" | "bold"
    energy?: "low" | "medium" | "high"
    [name: string]: unknown
  }
  images: {
    logo: string | null
    favicon: string | null
    ogImage: string | null
    [name: string]: unknown
  }
  [name: string]: unknown
}

export type BrandingFormat = {
  type: "branding"
}

export type ChangeTracking = {
  /** Time of the fetch of the previous version. */
  previousScrapeAt: string | null
  /** removed: the page returns 404 or 410. With mode json, a different value is also a change. */
  changeStatus: "new" | "same" | "changed" | "removed"
  visibility: "visible" | "hidden"
  /** Unified diff of the Markdown, with mode git-diff. */
  diff?: string
  /** The same diff as structured data. */
  diffJson?: {
    files: {
      from: string | null
      to: string | null
      chunks: {
        content: string
        changes: {
          type: "add" | "del" | "normal"
          add?: true
          del?: true
          normal?: true
          /** Line number, from 1. */
          ln?: number
          /** Line number, from 1. */
          ln1?: number
          /** Line number, from 1. */
          ln2?: number
          content: string
        }[]
      }[]
    }[]
  }
  /** With mode json: changed fields by path; null for a value that was not read. */
  json?: Record<string, {
    previous: unknown
    current: unknown
  }>
}

export type ChangeTrackingFormat = {
  type: "changeTracking"
  /** Representation of changes: git-diff for changed lines; json for changed values. */
  modes?: ("git-diff" | "json")[]
  /** With mode json: JSON schema of the compared values. */
  schema?: unknown
  /** With mode json: description of the values in natural language. Only a language model uses it. */
  prompt?: string | null
  /** Name of a separate history of the same page. */
  tag?: string | null
}

export type ChunksFormat = {
  type: "chunks"
  [name: string]: unknown
}

export type ClickAction = {
  type: "click"
  selector: string
  all?: boolean
}

export type Conflict = {
  path: string
  chosen: unknown
  values: {
    value: unknown
    sources: string[]
    reader?: string
    text?: string
  }[]
}

export type CrawlPreview = {
  url: string
  /** Regular expressions: only pages with a matching path are scraped. */
  includePaths?: string[]
  /** Regular expressions: pages with a matching path are not scraped. */
  excludePaths?: string[]
  /** Maximum number of links from the start. Links on pages at the limit are not followed. */
  maxDiscoveryDepth?: number
  /** Follow links to pages outside the start path. Default: only pages below it. */
  crawlEntireDomain?: boolean
  /** Scrape pages of other sites that the site links to, but do not follow their links. Default: false. */
  allowExternalLinks?: boolean
  /** Follow links to other subdomains. Default: false. */
  allowSubdomains?: boolean
  /** Use of sitemaps. Default: include. */
  sitemap?: "skip" | "include" | "only"
  /** Treat pages that differ only in their query as one page. Default: false. */
  ignoreQueryParameters?: boolean
  /** Ignore robots.txt. Default: false. */
  ignoreRobotsTxt?: boolean
  /** User agent to match in robots.txt. Default: WinnowBot. */
  robotsUserAgent?: string
  /** Treat URLs as equal that differ in www, http, a trailing slash or an index file. Default: true. */
  deduplicateSimilarURLs?: boolean
  /** Seconds between two pages; pages are then scraped one at a time. */
  delay?: number
  /** Maximum number of pages. Default: 10000. */
  limit?: number
}

export type CrawlRequest = {
  /** Start URL of the crawl. */
  url: string
  /** Description of the crawl in natural language. Explicit options take precedence. */
  prompt?: string
  /** Regular expressions: only pages with a matching path are scraped. */
  includePaths?: string[]
  /** Regular expressions: pages with a matching path are not scraped. */
  excludePaths?: string[]
  /** Match patterns against the complete URL instead of the path. Default: false. */
  regexOnFullURL?: boolean
  /** Maximum number of links from the start. Links on pages at the limit are not followed. */
  maxDiscoveryDepth?: number
  /** Use of sitemaps. Default: include. */
  sitemap?: "skip" | "include" | "only"
  /** Treat pages that differ only in their query as one page. Default: false. */
  ignoreQueryParameters?: boolean
  /** Treat URLs as equal that differ in www, http, a trailing slash or an index file. Default: true. */
  deduplicateSimilarURLs?: boolean
  /** Maximum number of pages. Default: 10000. */
  limit?: number
  /** Follow links to pages outside the start path. Default: only pages below it. */
  crawlEntireDomain?: boolean
  /** Scrape pages of other sites that the site links to, but do not follow their links. Default: false. */
  allowExternalLinks?: boolean
  /** Omit texts that most pages of the site repeat; headings, terms, cells and code are never omitted. Default: false: each page is read as if it were scraped separately. */
  removeRepeatedContent?: boolean
  /** Follow links to other subdomains. Default: false. */
  allowSubdomains?: boolean
  /** Ignore robots.txt. Default: false. */
  ignoreRobotsTxt?: boolean
  /** User agent to match in robots.txt. Default: WinnowBot. */
  robotsUserAgent?: string
  /** Seconds between two pages; pages are then scraped one at a time. */
  delay?: number
  /** Maximum number of concurrently scraped pages. Default: the slots of the team. */
  maxConcurrency?: number
  /** Scrape options of each page. */
  scrapeOptions?: ScrapeOptions
  /** Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events. */
  webhook?: string | Webhook
  /** Not available for crawls, because their results are stored. */
  zeroDataRetention?: boolean
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type Delivery = {
  /** Id of the delivery, the same in all its attempts. */
  webhookId: string
  /** Id of the job that the event is about. */
  id: string
  /** Event type and payload. */
  type: string
  state: "waiting" | "delivered" | "failed"
  attempts: {
    at: string
    /** Duration of the attempt. */
    ms: number
    /** Response of the receiver. */
    status?: number
    error?: string
  }[]
  createdAt: string
  /** Present while the delivery waits. */
  nextAttemptAt?: string
}

export type DeliveryDetails = {
  /** Id of the delivery, the same in all its attempts. */
  webhookId: string
  /** Id of the job that the event is about. */
  id: string
  /** Event type and payload. */
  type: string
  state: "waiting" | "delivered" | "failed"
  attempts: {
    at: string
    /** Duration of the attempt. */
    ms: number
    /** Response of the receiver. */
    status?: number
    error?: string
  }[]
  createdAt: string
  /** Present while the delivery waits. */
  nextAttemptAt?: string
  /** URL of the receiver; absent after the webhook of the job is removed. */
  url?: string
  /** Payload with the documents as currently stored; absent together with the url. */
  payload?: Record<string, unknown>
}

export type DeterministicJsonFormat = {
  type: "deterministicJson"
  /** JSON schema of the values. Required. */
  schema?: unknown
  /** No effect: only a language model uses text instructions, see the format json. */
  prompt?: string | null
}

export type DeveloperSearchRequest = {
  /** A question about code, a library or an error. */
  query: string
  /** Maximum number of results, 1 to 100. */
  k?: number
  /** Passages per result, 1 to 5. */
  passages?: number
  /** Sources: doc are your indexed pages; the others are on GitHub. Default: all. */
  types?: ("doc" | "issue" | "pull_request" | "readme")[]
  /** GitHub repositories, owner/name. */
  repos?: string[]
  /** Hostnames of your indexed pages. */
  sources?: string[]
  /** Main language of the repository. */
  language?: string
  /** Topics of the repository; all must match. */
  topic?: string[]
  /** SPDX identifier of its licence. */
  license?: string
  min_stars?: number
  max_stars?: number
  archived?: boolean
  fork?: boolean
  /** Not available. */
  skills?: "only"
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type DeveloperSearchResult = {
  /** Id such as issue:owner/name#1. */
  id: string
  type: "doc" | "issue" | "pull_request" | "readme"
  url: string
  title?: string
  passages: {
    text: string
    citation_url: string
  }[]
  license?: {
    state: "licensed" | "known_absent" | "unknown"
    spdx_id: string | null
  }
}

export type DocsSearchRequest = {
  /** A question about this service. */
  question: string
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type Document = {
  /** The values in document order, unchanged: URLs are not resolved. */
  attributes?: {
    selector: string
    attribute: string
    values: string[]
  }[]
  /** URL of the MP3; it expires after one hour. */
  audio?: string
  /** Text blocks of the page in order, kept or omitted. */
  textBlocks?: TextBlock[]
  /** Colours, fonts, spacing, buttons and logo, if the page shows them. */
  branding?: Branding
  /** Changes since the previous version. */
  changeTracking?: ChangeTracking
  /** Values in the shape of the schema. */
  json?: unknown
  /** Source of each value by its path: `offers.price`, `items[0].name`. */
  jsonEvidence?: Record<string, {
    /** Text of the page at this position. */
    text: string
    /** Source of the value: json-ld, microdata, label, table, records and others. */
    reader: string
    /** CSS selector of the element that contains the text. */
    selector?: string
    /** The property in structured data or metadata. */
    property?: string
  }>
  /** Sentences of the page, unchanged, the best passage first, with blank lines between passages. */
  highlights?: string
  /** Cleaned HTML. */
  html?: string
  /** Absolute URLs of the images. */
  images?: string[]
  /** Absolute URLs that the page links to. */
  links?: string[]
  /** The page as Markdown. */
  markdown?: string
  /** The product and its variants; at least one. */
  product?: Product
  /** A short answer if one is certain, followed by the relevant sentences of the page as Markdown quotes. */
  answer?: string
  /** The body as received, in base64. */
  rawBase64?: string
  /** The page as received. */
  rawHtml?: string
  /** URL of the screenshot; it expires after 24 hours. */
  screenshot?: string
  /** Three to five sentences; for a list, its title and first entries, one per line. */
  summary?: string
  /** The pages of a PDF; present if the parser option pages is set. */
  pages?: PdfPage[]
  /** The blocks of each page of a PDF; present if the parser option blocks is set. */
  blocks?: PdfPageBlocks[]
  /** Results of the actions, in order; present if the request has actions. */
  actions?: ActionResults
  /** Summary of the steps of the agent before the page was read, written by the language model. */
  task?: TaskResult
  metadata: DocumentMetadata
  /** Information for the caller: options without effect, limits reached. */
  warning?: string
}

export type DocumentMetadata = {
  title?: string
  description?: string
  language?: string
  keywords?: string
  ogLocaleAlternate?: string[]
  /** URL as requested. */
  sourceURL: string
  /** URL after redirects. */
  url: string
  /** HTTP status of the site; 500 if the stored document is damaged. */
  statusCode: number
  contentType?: string
  /** Present if the site returned an error status, or the stored document is damaged. */
  error?: string
  /** Error code; present if the stored document is damaged. */
  code?: string
  /** Id of this job. */
  scrapeId: string
  /** Engine that fetched the page: plain HTTP or a browser; for a cached page, the engine that fetched it originally. */
  engine?: "http" | "chromium"
  proxyUsed?: "basic" | "stealth"
  /** Absent if the cache was not used. */
  cacheState?: "hit" | "miss"
  cachedAt?: string
  creditsUsed: number
  /** Pages of a PDF that were converted. */
  numPages?: number
  /** Pages of the PDF. */
  totalPages?: number
  concurrencyLimited?: boolean
  concurrencyQueueDurationMs?: number
  [name: string]: unknown
}

export type ExecuteJavascriptAction = {
  type: "executeJavascript"
  script: string
}

export type ExecuteRequest = {
  /** Code that runs with `page`, `context` and `browser`. */
  code: string
  /** Language of the code; `bash` includes the command agent-browser. */
  language?: "python" | "node" | "bash"
  /** Time limit of the code in seconds. */
  timeout?: number
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type ExtractRequest = {
  /** Pages to read. A URL that ends in /* includes the pages of the site below it. */
  urls?: string[]
  /** Description of the values in natural language. Requires a language model if there is no schema. */
  prompt?: string
  /** Additional instructions for the language model. */
  systemPrompt?: string
  /** JSON schema of the values. */
  schema?: unknown
  /** Maximum number of pages to read; the most relevant pages of a site are selected. */
  limit?: number
  /** Find pages of a site only by links. */
  ignoreSitemap?: boolean
  /** Also read pages of other subdomains of a site. */
  includeSubdomains?: boolean
  /** Also read pages of other sites to which a site links. Requires a URL that ends in /*. */
  allowExternalLinks?: boolean
  /** Also read pages that a search for the prompt finds. On by default if no URL is given. */
  enableWebSearch?: boolean
  /** Add the source pages of each value, and every value on which pages disagree. */
  showSources?: boolean
  /** Scrape options of each page. */
  scrapeOptions?: ScrapeOptions
  /** Skip invalid URLs instead of rejecting the call. */
  ignoreInvalidURLs?: boolean
  /** Time budget (ms). Pages that were not read in time are omitted and listed. */
  timeout?: number
  /** No effect: POST /v2/agent finds pages without it. */
  agent?: {
    model?: string
  } | null
  /** Add the outcome of each page. */
  urlTrace?: boolean
  /** Webhook that is notified of events of the job, such as its end: a URL, or an object with headers, metadata and events. */
  webhook?: string | Webhook
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type ExtractStatus = {
  /** False if the job failed. */
  success: boolean
  status: "processing" | "completed" | "failed" | "cancelled"
  /** Values in the shape of the schema; an empty list while processing. */
  data: unknown
  expiresAt: string
  /** Reason for the failure. */
  error?: string
  /** Error code of the failure. */
  code?: string
  warning?: string
  /** Source pages of each value, by its path. */
  sources?: Record<string, string[]>
  /** Fields for which pages contain different values: each value with its pages. */
  conflicts?: Conflict[]
  /** Steps of the run, in order. */
  steps?: {
    step: string
    status: string
    discoveredLinks?: string[]
  }[]
  /** Outcome of each page, with urlTrace. */
  urlTrace?: TracedUrl[]
  /** creditsUsed, converted to tokens. */
  tokensUsed: number
  creditsUsed: number
}

export type Feedback = {
  feedbackId: string
  jobId: string
  endpoint: string
  rating: string
  creditsRefunded: number
  createdAt: string
  valuableSources?: {
    /** A result that was useful. */
    url: string
    reason?: string
  }[]
  valuableResultPositions?: number[]
  missingContent?: {
    /** Expected but missing result. */
    topic: string
    description?: string
  }[]
  querySuggestions?: string
  issues?: string[]
  tags?: string[]
  note?: string
  url?: string
  pageNumbers?: number[]
  metadata?: Record<string, unknown>
  origin?: string
  integration?: string | null
}

export type FeedbackRequest = {
  /** Kind of the job. */
  endpoint: "search" | "scrape" | "parse" | "map"
  /** Id of the job. */
  jobId: string
  rating: "good" | "partial" | "bad"
  valuableSources?: {
    /** A result that was useful. */
    url: string
    reason?: string
  }[]
  /** The same by position in the list of results. */
  valuableResultPositions?: number[]
  missingContent?: {
    /** Expected but missing result. */
    topic: string
    description?: string
  }[]
  /** Suggested change of the query. */
  querySuggestions?: string
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
  /** Short names of the problems: missing_markdown. */
  issues?: string[]
  tags?: string[]
  note?: string
  /** URL of the page. */
  url?: string
  /** Pages of a document. */
  pageNumbers?: number[]
  metadata?: Record<string, unknown>
}

export type Format = "audio" | "blocks" | "branding" | "changeTracking" | "chunks" | "html" | "images" | "json" | "links" | "markdown" | "menu" | "product" | "rawBase64" | "rawHtml" | "screenshot" | "summary" | "video" | AttributesFormat | AudioFormat | BlocksFormat | BrandingFormat | ChangeTrackingFormat | ChunksFormat | DeterministicJsonFormat | HighlightsFormat | HtmlFormat | ImagesFormat | JsonFormat | LinksFormat | MarkdownFormat | MenuFormat | ProductFormat | QueryFormat | QuestionFormat | RawBase64Format | RawHtmlFormat | ScreenshotFormat | SummaryFormat | VideoFormat

export type HighlightsFormat = {
  type: "highlights"
  /** Query for the passages. */
  query: string
}

export type HtmlFormat = {
  type: "html"
}

export type ImageParser = {
  type: "image"
}

export type ImageResult = {
  title: string
  imageUrl: string
  url: string
  /** Position in the list, from 1. */
  position: number
  imageWidth?: number
  imageHeight?: number
}

export type ImagesFormat = {
  type: "images"
}

export type InteractResult = {
  /** True if the run completed without errors. */
  success: boolean
  sessionId: string
  /** WebSocket of the DevTools protocol, for Playwright and Puppeteer. */
  cdpUrl: string
  /** URL of a page to watch the browser live; empty if the session is not streamed. */
  liveViewUrl: string
  /** URL of a page to watch and control the browser. */
  interactiveLiveViewUrl: string
  /** Answer to a prompt. */
  output?: string
  stdout: string | null
  /** Value of the last expression; for a prompt, the page at the end. */
  result: string | null
  stderr: string | null
  /** 0 means success. */
  exitCode: number | null
  /** True if the run reached its timeout. */
  killed: boolean
  /** Error of the run. */
  error?: string
  /** True if the output was truncated. */
  truncated?: boolean
  warning?: string
}

export type JobStatus = {
  success: true
  status: "scraping" | "completed" | "failed" | "cancelled"
  /** Pages that did not fail. */
  total: number
  completed: number
  creditsUsed: number
  expiresAt: string
  createdAt: string
  completedAt?: string
  /** Seconds from the start to the end; present after the end. */
  duration?: number
  /** Reason for the failure. */
  error?: string
  /** URL of the next documents; absent if none are available now. */
  next?: string
  data: Document[]
  warning?: string
}

export type JobTrace = {
  id: string
  kind: string
  state: string
  target: string | null
  /** Crawl or batch that contains the page. */
  parentId: string | null
  /** Number of starts. */
  attempts: number
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** Charged credits, or reserved credits while the job runs. */
  credits: number
  error: {
    code: string
    error: string
    detail: Record<string, unknown>
  } | null
  /** Events in order. Empty while the job runs; for a crawl, the events of its start. */
  steps: TraceStep[]
  /** Only for a crawl or a batch. */
  pages: {
    queued: number
    running: number
    completed: number
    failed: number
    cancelled: number
    /** URLs that a crawl skipped, by reason. */
    skipped: Record<string, number>
    /** Reasons for failed pages, the most frequent first. */
    errors: {
      code: string
      count: number
      /** Id of one of these jobs. */
      id: string
    }[]
    /** Warnings of the crawl about its site. */
    notes: string[]
  } | null
  /** Webhook deliveries of the job, newest first. */
  deliveries: {
    /** Id of the delivery, the same in all its attempts. */
    webhookId: string
    /** Id of the job that the event is about. */
    id: string
    /** Event type and payload. */
    type: string
    state: "waiting" | "delivered" | "failed"
    attempts: {
      at: string
      /** Duration of the attempt. */
      ms: number
      /** Response of the receiver. */
      status?: number
      error?: string
    }[]
    createdAt: string
    /** Present while the delivery waits. */
    nextAttemptAt?: string
  }[]
}

export type JsonFormat = {
  type: "json"
  /** JSON schema of the values. */
  schema?: unknown
  /** Description of the values in natural language. Only a language model uses it. */
  prompt?: string | null
  /** Accepted without effect: instructions on a page never change the values. */
  checkPromptInjection?: boolean | null
}

export type LinksFormat = {
  type: "links"
}

export type Location = {
  country?: string
  languages?: string[]
}

export type MapLink = {
  url: string
  title?: string
  description?: string
}

export type MapRequest = {
  /** URL of the site, or of a part of it. */
  url: string
  /** Sorts all found pages by relevance to this text before limit applies. Only the first 50 words count. */
  search?: string
  /** skip: ignore sitemaps; only: read nothing but sitemaps; include: read sitemaps and links, so the list is never shorter than with skip. */
  sitemap?: "skip" | "include" | "only"
  /** Also list pages of other subdomains. */
  includeSubdomains?: boolean
  /** Skip URLs with a query. */
  ignoreQueryParameters?: boolean
  /** Read sitemaps again; by default they are cached for seven days. */
  ignoreCache?: boolean
  /** Maximum number of pages in the response. */
  limit?: number
  /** Time budget (ms). The call returns the pages found by then. */
  timeout?: number
  /** Country and languages to emulate. */
  location?: Location
  /** Headers sent to the site with each request for links. */
  headers?: Record<string, string>
  /** Regular expressions: only pages with a matching path are listed. */
  includePaths?: string[]
  /** Regular expressions: pages with a matching path are not listed. */
  excludePaths?: string[]
  /** List pages of other sites that the site links to. */
  allowExternalLinks?: boolean
  /** If the URL has a path, list only pages below it. */
  filterByPath?: boolean
  /** No effect: there is no index of other sites. */
  useIndex?: boolean
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type MarkdownFormat = {
  type: "markdown"
}

export type MenuFormat = {
  type: "menu"
  [name: string]: unknown
}

export type NewsResult = {
  title: string
  snippet: string
  url: string
  /** Position in the list, from 1. */
  position: number
  /** Ranges of query terms in the accompanying text: start (inclusive), end (exclusive). */
  marks?: [number, number][]
  date?: string
  imageUrl?: string
  /** The values in document order, unchanged: URLs are not resolved. */
  attributes?: {
    selector: string
    attribute: string
    values: string[]
  }[]
  /** URL of the MP3; it expires after one hour. */
  audio?: string
  /** Text blocks of the page in order, kept or omitted. */
  textBlocks?: TextBlock[]
  /** Colours, fonts, spacing, buttons and logo, if the page shows them. */
  branding?: Branding
  /** Changes since the previous version. */
  changeTracking?: ChangeTracking
  /** Values in the shape of the schema. */
  json?: unknown
  /** Source of each value by its path: `offers.price`, `items[0].name`. */
  jsonEvidence?: Record<string, {
    /** Text of the page at this position. */
    text: string
    /** Source of the value: json-ld, microdata, label, table, records and others. */
    reader: string
    /** CSS selector of the element that contains the text. */
    selector?: string
    /** The property in structured data or metadata. */
    property?: string
  }>
  /** Sentences of the page, unchanged, the best passage first, with blank lines between passages. */
  highlights?: string
  /** Cleaned HTML. */
  html?: string
  /** Absolute URLs of the images. */
  images?: string[]
  /** Absolute URLs that the page links to. */
  links?: string[]
  /** The page as Markdown. */
  markdown?: string
  /** The product and its variants; at least one. */
  product?: Product
  /** A short answer if one is certain, followed by the relevant sentences of the page as Markdown quotes. */
  answer?: string
  /** The body as received, in base64. */
  rawBase64?: string
  /** The page as received. */
  rawHtml?: string
  /** URL of the screenshot; it expires after 24 hours. */
  screenshot?: string
  /** Three to five sentences; for a list, its title and first entries, one per line. */
  summary?: string
  /** The pages of a PDF; present if the parser option pages is set. */
  pages?: PdfPage[]
  /** The blocks of each page of a PDF; present if the parser option blocks is set. */
  blocks?: PdfPageBlocks[]
  /** Results of the actions, in order; present if the request has actions. */
  actions?: ActionResults
  /** Summary of the steps of the agent before the page was read, written by the language model. */
  task?: TaskResult
  /** Information for the caller: options without effect, limits reached. */
  warning?: string
  metadata?: ResultMetadata
}

export type OperatorKey = {
  id: string
  /** Prefix of the key. */
  hint: string
  team: {
    id: string
    name: string
  }
  isOperator: boolean
  createdAt: string
  /** At most ten minutes old; null if unknown. */
  lastUsedAt: string | null
  revokedAt: string | null
}

export type OperatorTeam = {
  id: string
  name: string
  /** Remaining credits; null if the team has no limit. */
  balance: number | null
  unlimited: boolean
  /** Maximum number of concurrent jobs of the team. */
  concurrency: number
  /** True if the concurrency is TEAM_CONCURRENCY. */
  hasDefaultConcurrency: boolean
  /** True if requests of the team may use zero data retention. */
  zeroDataRetention: boolean
  /** True if stored pages of the team are indexed, so its searches find them. */
  searchIndex: boolean
  /** True if the team has a secret that signs its webhooks. */
  signsWebhooks: boolean
  /** Secret derived from WEBHOOK_SECRET that signs the webhooks of this team. Null if the team has its own secret or is the first team, or if WEBHOOK_SECRET is not set. */
  derivedWebhookSecret: string | null
  /** Active keys. */
  keys: number
  /** Calls in the last 30 days. */
  creditsUsed: number
  createdAt: string
}

export type PageError = {
  id: string
  timestamp?: string
  url: string
  code: string
  error: string
}

export type PageVersion = {
  id: string
  /** Time when the version was first seen. */
  at: string
  /** Time when the version was last seen. */
  lastSeen: string
  /** Size of its Markdown in bytes; null if it was not recorded. */
  size: number | null
}

export type Paper = {
  paperId: string
  /** Ids of the paper by scheme. */
  ids: Record<string, string[]>
  title: string
  abstract: string
  url: string
  pdfUrl?: string
  /** Names, separated by commas. */
  authors?: string
  categories?: string[]
  createdDate?: string
  updateDate?: string
}

export type PaperResult = {
  paperId: string
  /** Id for requests about the paper. */
  primaryId: string
  /** Ids of the paper by scheme. */
  ids: Record<string, string[]>
  title: string
  /** Empty if no provider has it. */
  abstract: string
  url: string
  score: number
  signals?: {
    structural: number
    semantic: number
    /** Number of citations. */
    articleRank: number
    seedOverlap: number
  }
}

export type ParseOptions = {
  /** Formats to return. An empty list returns only metadata. */
  formats?: Format[]
  /** Omit headers, navigation and footers. */
  onlyMainContent?: boolean
  /** Amount of content that onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the complete element that contains it; article: only text that certainly belongs to it. */
  mainContentMode?: "balanced" | "container" | "article"
  /** CSS selectors: keep only what they match. */
  includeTags?: string[]
  /** CSS selectors: remove what they match. */
  excludeTags?: string[]
  /** No effect: a file requires no fetch. */
  headers?: Record<string, string>
  /** Time budget of the complete request (ms). */
  timeout?: number
  /** Conversion of files. Default: PDF and images; an empty list returns a PDF unchanged, in base64. */
  parsers?: ("pdf" | "image" | PdfParser | ImageParser)[]
  /** No effect: a file requires no fetch. */
  skipTlsVerification?: boolean
  /** Omit embedded images from the Markdown. */
  removeBase64Images?: boolean
  /** No effect: a file requires no fetch. */
  blockAds?: boolean
  /** No effect: a file requires no fetch. */
  proxy?: "basic" | "enhanced" | "stealth" | "auto"
  /** No effect: a file requires no fetch. */
  fastMode?: boolean
  /** Removes remaining boilerplate from the Markdown, without a language model. Lists, tables and code are kept or removed as a whole. Not available with zero data retention. */
  onlyCleanContent?: boolean
  /** Redact personal data in the Markdown and in formats derived from it. */
  redactPII?: boolean | RedactPII
  /** Store nothing of this request. Must be enabled for the team. */
  zeroDataRetention?: boolean
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
  actions?: unknown[]
  waitFor?: number
  location?: unknown
  mobile?: boolean
  maxAge?: number
  minAge?: number
  storeInCache?: boolean
  lockdown?: boolean
  profile?: unknown
}

export type ParsedDocument = {
  /** The values in document order, unchanged: URLs are not resolved. */
  attributes?: {
    selector: string
    attribute: string
    values: string[]
  }[]
  /** URL of the MP3; it expires after one hour. */
  audio?: string
  /** Text blocks of the page in order, kept or omitted. */
  textBlocks?: TextBlock[]
  /** Colours, fonts, spacing, buttons and logo, if the page shows them. */
  branding?: Branding
  /** Changes since the previous version. */
  changeTracking?: ChangeTracking
  /** Values in the shape of the schema. */
  json?: unknown
  /** Source of each value by its path: `offers.price`, `items[0].name`. */
  jsonEvidence?: Record<string, {
    /** Text of the page at this position. */
    text: string
    /** Source of the value: json-ld, microdata, label, table, records and others. */
    reader: string
    /** CSS selector of the element that contains the text. */
    selector?: string
    /** The property in structured data or metadata. */
    property?: string
  }>
  /** Sentences of the page, unchanged, the best passage first, with blank lines between passages. */
  highlights?: string
  /** Cleaned HTML. */
  html?: string
  /** Absolute URLs of the images. */
  images?: string[]
  /** Absolute URLs that the page links to. */
  links?: string[]
  /** The page as Markdown. */
  markdown?: string
  /** The product and its variants; at least one. */
  product?: Product
  /** A short answer if one is certain, followed by the relevant sentences of the page as Markdown quotes. */
  answer?: string
  /** The body as received, in base64. */
  rawBase64?: string
  /** The page as received. */
  rawHtml?: string
  /** URL of the screenshot; it expires after 24 hours. */
  screenshot?: string
  /** Three to five sentences; for a list, its title and first entries, one per line. */
  summary?: string
  /** The pages of a PDF; present if the parser option pages is set. */
  pages?: PdfPage[]
  /** The blocks of each page of a PDF; present if the parser option blocks is set. */
  blocks?: PdfPageBlocks[]
  /** Summary of the steps of the agent before the page was read, written by the language model. */
  task?: TaskResult
  metadata: ParsedDocumentMetadata
  /** Information for the caller: options without effect, limits reached. */
  warning?: string
}

export type ParsedDocumentMetadata = {
  title?: string
  description?: string
  language?: string
  keywords?: string
  ogLocaleAlternate?: string[]
  /** Name of the uploaded file, which has no URL. */
  sourceURL: string
  /** HTTP status of the site; 500 if the stored document is damaged. */
  statusCode: number
  contentType?: string
  /** Present if the site returned an error status, or the stored document is damaged. */
  error?: string
  /** Error code; present if the stored document is damaged. */
  code?: string
  /** Id of this job. */
  scrapeId: string
  /** Absent if the cache was not used. */
  cacheState?: "hit" | "miss"
  cachedAt?: string
  creditsUsed: number
  /** Pages that were converted. */
  numPages?: number
  /** Pages of the file. */
  totalPages?: number
  concurrencyLimited?: boolean
  concurrencyQueueDurationMs?: number
  /** Name of the uploaded file. */
  sourceFile: string
  [name: string]: unknown
}

export type PdfAction = {
  type: "pdf"
  format?: "A0" | "A1" | "A2" | "A3" | "A4" | "A5" | "A6" | "Letter" | "Legal" | "Tabloid" | "Ledger"
  landscape?: boolean
  scale?: number
}

export type PdfPage = {
  pageNumber: number
  markdown: string
}

export type PdfPageBlocks = {
  pageNumber: number
  width: number
  height: number
  status: "ok" | "partial" | "failed"
  items: {
    id: string
    type: string
    label: string
    /** Left, top, right, bottom, each from 0 to 1. */
    bbox: number[]
    content: string
    /** Start and end in the Markdown of the page. */
    markdownSpan: number[]
    readingOrder: number
    source: "text" | "ocr"
    confidence?: {
      layout: number
      ocr?: number
    }
  }[]
}

export type PdfParser = {
  type: "pdf"
  /** fast: only the text layer. auto: OCR for pages without text. ocr: OCR for all pages. */
  mode?: "fast" | "auto" | "ocr"
  /** Convert only the first pages. */
  maxPages?: number
  /** Also return each page separately. */
  pages?: boolean
  /** Older name of pages. */
  pageMarkdown?: boolean
  /** Return the blocks of each page with their positions. */
  blocks?: boolean
  /** Mark the start of each page in the Markdown. */
  pageMarkers?: boolean
}

export type PressAction = {
  type: "press"
  key: string
}

export type Product = {
  title: string
  brand?: string
  category?: string
  url: string
  description?: string
  variants: {
    id?: string
    sku?: string
    title?: string
    /** Variant options such as colour and size. */
    values?: Record<string, unknown>
    price?: {
      amount: number
      /** Only if the page states it. */
      currency?: string
      /** Verbatim text of the page. */
      formatted?: string
    }
    sale?: {
      originalPrice: {
        amount: number
        /** Only if the page states it. */
        currency?: string
        /** Verbatim text of the page. */
        formatted?: string
      }
    }
    availability: {
      inStock: boolean
      text?: string
    }
    images?: {
      url: string
      alt?: string
    }[]
  }[]
}

export type ProductFormat = {
  type: "product"
}

export type Profile = {
  /** Scrapes and sessions with the same name share storage. */
  name: string
  /** Save the storage at the end. Only one request may save at a time; false only loads. */
  saveChanges?: boolean
}

export type QueryFormat = {
  type: "query"
  /** The question, or the query for passages. */
  prompt: string
  /** freeform: as question, in `answer`. directQuote: as highlights, in `highlights`. */
  mode?: "freeform" | "directQuote"
}

export type QuestionFormat = {
  type: "question"
  /** Question to answer. */
  question: string
}

export type RawBase64Format = {
  type: "rawBase64"
}

export type RawHtmlFormat = {
  type: "rawHtml"
}

export type RedactPII = {
  /** accurate: matches with a checksum, a distinctive shape or a nearby keyword. aggressive: any matching shape. fast: only checksums and distinctive shapes. */
  mode?: "accurate" | "aggressive" | "fast"
  /** Kinds of personal data. Default: all. */
  entities?: ("PERSON" | "EMAIL" | "PHONE" | "LOCATION" | "FINANCIAL" | "SECRET")[]
  /** tag: the name of the kind, such as <EMAIL>. mask: a block for each character. remove: no replacement. */
  replaceStyle?: "tag" | "mask" | "remove"
}

export type ResultMetadata = {
  title?: string
  description?: string
  language?: string
  keywords?: string
  ogLocaleAlternate?: string[]
  /** URL as requested. */
  sourceURL?: string
  /** URL after redirects. */
  url?: string
  /** HTTP status of the site; 500 if the stored document is damaged. */
  statusCode?: number
  contentType?: string
  /** Present if the site returned an error status, or the stored document is damaged. */
  error?: string
  /** Error code; present if the stored document is damaged. */
  code?: string
  /** Id of this job. */
  scrapeId?: string
  /** Engine that fetched the page: plain HTTP or a browser; for a cached page, the engine that fetched it originally. */
  engine?: "http" | "chromium"
  proxyUsed?: "basic" | "stealth"
  /** Absent if the cache was not used. */
  cacheState?: "hit" | "miss"
  cachedAt?: string
  creditsUsed?: number
  /** Pages of a PDF that were converted. */
  numPages?: number
  /** Pages of the PDF. */
  totalPages?: number
  concurrencyLimited?: boolean
  concurrencyQueueDurationMs?: number
  [name: string]: unknown
}

export type SavedProfile = {
  name: string
  /** Null if nothing has been saved. */
  savedAt: string | null
  /** True if a session or a scrape will save to it; until then it cannot be deleted. */
  inUse: boolean
}

export type ScrapeAction = {
  type: "scrape"
}

export type ScrapeOptions = {
  /** Formats to return. An empty list returns only metadata. */
  formats?: Format[]
  /** Omit headers, navigation and footers. */
  onlyMainContent?: boolean
  /** Amount of content that onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the complete element that contains it; article: only text that certainly belongs to it. */
  mainContentMode?: "balanced" | "container" | "article"
  /** Removes remaining boilerplate from the Markdown, without a language model. Lists, tables and code are kept or removed as a whole. Not available with zero data retention. */
  onlyCleanContent?: boolean
  /** CSS selectors: keep only what they match. */
  includeTags?: string[]
  /** CSS selectors: remove what they match. */
  excludeTags?: string[]
  /** Use a cached page younger than this (ms). Default: two days; 0 always fetches. */
  maxAge?: number
  /** Use a cached page at least this old (ms), and never fetch. */
  minAge?: number
  /** Headers sent to the site. Disables the cache. */
  headers?: Record<string, string>
  /** Additional wait (ms) before the page is read. */
  waitFor?: number
  /** Emulate a mobile device. */
  mobile?: boolean
  /** Accept invalid certificates. */
  skipTlsVerification?: boolean
  /** Time budget of the complete request (ms). */
  timeout?: number
  /** Conversion of files. Default: PDF and images; an empty list returns a PDF unchanged, in base64. */
  parsers?: ("pdf" | "image" | PdfParser | ImageParser)[]
  /** Steps on the page before it is read. */
  actions?: Action[]
  /** Country and languages to emulate. */
  location?: Location
  /** Omit embedded images from the Markdown. */
  removeBase64Images?: boolean
  /** Block advertisements and cookie banners. */
  blockAds?: boolean
  /** Proxy tier for reaching the site. */
  proxy?: "basic" | "enhanced" | "stealth" | "auto"
  /** Cache the page for later requests. Default: true. */
  storeInCache?: boolean
  /** Serve only from the cache; never contact the site. */
  lockdown?: boolean
  /** Browser storage that is kept between requests: cookies, local storage, databases. Disables the cache. */
  profile?: Profile
  /** Never use a browser. */
  fastMode?: boolean
  /** Redact personal data in the Markdown and in formats derived from it. */
  redactPII?: boolean | RedactPII
}

export type ScrapeRequest = ScrapeOptions & {
  /** URL to scrape. The default scheme is http. */
  url: string
  /** Store nothing of this request. Must be enabled for the team. */
  zeroDataRetention?: boolean
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type ScreenshotAction = {
  type: "screenshot"
  fullPage?: boolean
  quality?: number
  viewport?: {
    width: number
    height: number
  }
}

export type ScreenshotFormat = {
  type: "screenshot"
  /** Capture the complete page instead of the visible part. */
  fullPage?: boolean
  /** Quality of a JPEG; without it, the result is a PNG. */
  quality?: number
  /** Size of the browser window. */
  viewport?: {
    width: number
    height: number
  }
}

export type ScrollAction = {
  type: "scroll"
  direction?: "up" | "down"
  selector?: string
}

export type SearchCategory = "github" | "research" | "pdf" | {
  type: "github" | "research" | "pdf"
}

export type SearchData = {
  web?: WebResult[]
  images?: ImageResult[]
  news?: NewsResult[]
}

export type SearchFeedbackRequest = {
  rating: "good" | "partial" | "bad"
  valuableSources?: {
    /** A result that was useful. */
    url: string
    reason?: string
  }[]
  /** The same by position in the list of results. */
  valuableResultPositions?: number[]
  missingContent?: {
    /** Expected but missing result. */
    topic: string
    description?: string
  }[]
  /** Suggested change of the query. */
  querySuggestions?: string
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type SearchRequest = {
  /** Search query. Operators: quotes, minus, OR, site:, filetype:, inurl:, allinurl:, intitle:, allintitle:, related:, imagesize:, larger:. */
  query: string
  /** Maximum number of results of each source. */
  limit?: number
  /** Lists in the response. alexandria and exchange are not available and are omitted. */
  sources?: (SearchSource | AbsentSearchSource)[]
  /** Only web results of these kinds; each result names its category. */
  categories?: SearchCategory[]
  /** Only results of these hosts. Excludes excludeDomains. */
  includeDomains?: string[]
  /** No results of these hosts. Excludes includeDomains. */
  excludeDomains?: string[]
  /** Time range and order, combined by commas: qdr:h, d, w, m or y, also with a number (qdr:d3); cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY; sbd:1 for the newest first. Images have no time. */
  tbs?: string
  /** ISO 3166 code of a country. Default: US, unless location is given. */
  country?: string
  /** Location name: `City,Region,Country`. Works best together with country. */
  location?: string
  /** ISO 639 code of a language. */
  lang?: string
  /** Time budget of the complete request (ms). */
  timeout?: number
  /** Omit results whose URL other endpoints would reject. */
  ignoreInvalidURLs?: boolean
  /** zdr, anon: store nothing of this request. Must be enabled for the team. */
  enterprise?: ("anon" | "zdr" | "default")[]
  /** Scrape options of each result; without formats, results are not scraped. */
  scrapeOptions?: ScrapeOptions
  /** Respond before the results are scraped; scrapeIds names the jobs. */
  asyncScraping?: boolean
  /** Describe results from your indexed pages by the passage that answers, not by their first sentences. */
  highlights?: boolean
  /** Omit explicit results, if the provider supports it. */
  safe?: boolean
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type SearchSource = "web" | "images" | "news" | SearchSourceOptions

export type SearchSourceOptions = {
  type: "web" | "images" | "news"
  /** Time range and order, combined by commas: qdr:h, d, w, m or y, also with a number (qdr:d3); cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY; sbd:1 for the newest first. Images have no time. */
  tbs?: string
  /** ISO 3166 code of a country. Default: US, unless location is given. */
  country?: string
  /** Location name: `City,Region,Country`. Works best together with country. */
  location?: string
  /** ISO 639 code of a language. */
  lang?: string
  filter?: unknown
}

export type Session = {
  id: string
  status: "active" | "destroyed" | "error"
  /** WebSocket of the DevTools protocol, for Playwright and Puppeteer. */
  cdpUrl: string
  /** URL of a page to watch the browser live; empty if the session is not streamed. */
  liveViewUrl: string
  /** URL of a page to watch and control the browser. */
  interactiveLiveViewUrl: string
  streamWebView: boolean
  createdAt: string
  lastActivity: string
}

export type SessionRequest = {
  /** Maximum lifetime of the session in seconds. */
  ttl?: number
  /** Seconds without activity until the session ends. */
  activityTtl?: number
  /** True if the session has a live view. */
  streamWebView?: boolean
  /** Storage that is kept after the session ends. */
  profile?: Profile
  /** Sessions are not recorded. */
  recordSession?: boolean
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type SummaryFormat = {
  type: "summary"
}

export type SupportAnswer = {
  requestId: string
  /** Diagnosis and fix in two to four sentences. */
  answer: string
  confidence: "high" | "medium" | "low"
  /** Name of the cause; null if none was found. */
  cause: string | null
  /** Options that fix the problem, to be merged into the request. */
  fixParameters: Record<string, unknown> | null
  validation: {
    tested: boolean
    result: "success" | "failure" | "skipped"
    /** Options and result of each trial, and its effects on the site. */
    evidence: string
  } | null
  /** Problem to solve: symptoms and attempted fixes. */
  feedback: {
    blockedBy: string
    attempted: string[]
  } | null
  /** Id of the diagnosed job. */
  jobId: string | null
  durationMs: number
}

export type SupportQuestion = {
  /** Problem or question. */
  question: string
  /** Goal of the end user, in one or two sentences. */
  rationale?: string
  /** Id of the job that the question is about. */
  jobId?: string
  /** Additional context: the request, the error, attempted fixes. */
  context?: Record<string, unknown>
  /** Lets trials repeat the actions of the job and try clicks, each time with effects on the site: a form is submitted again. Without it, a job with such actions is not repeated. */
  allowActions?: boolean
}

export type TaskResult = {
  answer: string
  steps: string
  stopped?: string
}

export type TextBlock = {
  /** The first 300 characters. */
  text: string
  /** CSS selector of the parent element. */
  selector: string
  /** True if the block is in the Markdown. */
  isKept: boolean
  /** Reason for the omission; the same text as in the trace of the job. */
  reason?: "hidden on the page" | "advertisement or dialog" | "excludeTags" | "outside includeTags" | "not main content" | "onlyCleanContent"
  /** Probability from 0 to 1 that the block is content, judged separately. Neighbouring blocks may change the decision. Absent if main content detection is off, or the page has too little text. */
  probability?: number
}

export type TraceStep = {
  step: "plan"
  /** Milliseconds since the job was started. */
  at: number
  formats: string[]
  cache: "read" | "only" | "not read"
  /** True if the page is stored in the cache. */
  keeps: boolean
  proxy: "basic" | "enhanced" | "auto"
  /** Milliseconds. */
  timeoutMs: number
  /** Reason why only a browser can serve the request. */
  browserFor?: string
  onlyMainContent: boolean
  includeTags: number
  excludeTags: number
  /** Milliseconds. */
  waitForMs: number
  actions: number
} | {
  step: "queue"
  /** Milliseconds since the job was started. */
  at: number
  /** Milliseconds. */
  waitedMs: number
} | {
  step: "cache"
  /** Milliseconds since the job was started. */
  at: number
  result: "hit" | "miss"
  fetchedAt?: number
} | {
  step: "robots"
  /** Milliseconds since the job was started. */
  at: number
  result: "allowed" | "denied" | "ignored"
  message?: string
} | {
  step: "sitemaps"
  /** Milliseconds since the job was started. */
  at: number
  mode: "include" | "skip" | "only"
  /** Sitemaps and feeds that were read. */
  files: number
  /** URLs in the sitemaps. */
  found: number
  message?: string
} | {
  step: "fetch"
  /** Milliseconds since the job was started. */
  at: number
  /** http or chromium. */
  engine: string
  proxy: "basic" | "enhanced"
  /** Milliseconds. */
  ms: number
  result: "page" | "file" | "error"
  status?: number
  /** Final URL, if it differs from the requested one. */
  url?: string
  contentType?: string
  /** Only for a page rendered in a browser. */
  characters?: number
  bytes?: number
  code?: string
  phase?: string
  message?: string
} | {
  step: "verdict"
  /** Milliseconds since the job was started. */
  at: number
  kind: "good" | "needs-browser" | "blocked"
  reason?: string
} | {
  step: "wait"
  /** Milliseconds since the job was started. */
  at: number
  endedBy: "at rest" | "out of time"
  /** Milliseconds. */
  ms: number
} | {
  step: "consent"
  /** Milliseconds since the job was started. */
  at: number
  answer: string
} | {
  step: "action"
  /** Milliseconds since the job was started. */
  at: number
  index: number
  type: string
  /** Milliseconds. */
  ms: number
  result: "done" | "failed"
} | {
  step: "read"
  /** Milliseconds since the job was started. */
  at: number
  /** Text on the page. */
  pageCharacters: number
  /** Text in the result. */
  keptCharacters: number
  /** Omitted text by reason. */
  leftOut: {
    reason: string
    characters: number
    parts: number
  }[]
} | {
  step: "convert"
  /** Milliseconds since the job was started. */
  at: number
  type: string
  pages?: number
} | {
  step: "model"
  /** Milliseconds since the job was started. */
  at: number
  /** Milliseconds. */
  ms: number
  inputTokens: number
  outputTokens: number
} | {
  step: "write"
  /** Milliseconds since the job was started. */
  at: number
  /** Milliseconds. */
  ms: number
  markdownCharacters?: number
  warnings: string[]
} | {
  step: "omitted"
  /** Milliseconds since the job was started. */
  at: number
  steps: number
}

export type TracedUrl = {
  url: string
  status: "mapped" | "scraped" | "error"
  error?: string
  usedInCompletion: boolean
}

export type TrackedHistory = {
  id: string
  url: string
  /** Name of the history; null if none was given. */
  tag: string | null
  /** True if personal data was redacted; such versions form a separate history. */
  isRedacted: boolean
  /** Stored versions, at most ten. */
  versions: number
  firstSeen: string
  lastSeen: string
  /** Time when the latest version was first seen. */
  lastChange: string
  /** Result of the last comparison; null if it was not recorded. */
  changeStatus: "new" | "same" | "changed" | "removed" | null
  history: PageVersion[]
}

export type TrackedPage = {
  id: string
  url: string
  /** Name of the history; null if none was given. */
  tag: string | null
  /** True if personal data was redacted; such versions form a separate history. */
  isRedacted: boolean
  /** Stored versions, at most ten. */
  versions: number
  firstSeen: string
  lastSeen: string
  /** Time when the latest version was first seen. */
  lastChange: string
  /** Result of the last comparison; null if it was not recorded. */
  changeStatus: "new" | "same" | "changed" | "removed" | null
}

export type VideoFormat = {
  type: "video"
  [name: string]: unknown
}

export type WaitAction = {
  type: "wait"
  milliseconds?: number
  selector?: string
}

export type WebResult = {
  title: string
  description: string
  url: string
  /** Position in the list, from 1. */
  position: number
  /** Ranges of query terms in the accompanying text: start (inclusive), end (exclusive). */
  marks?: [number, number][]
  category?: "github" | "research" | "pdf"
  date?: string
  /** The values in document order, unchanged: URLs are not resolved. */
  attributes?: {
    selector: string
    attribute: string
    values: string[]
  }[]
  /** URL of the MP3; it expires after one hour. */
  audio?: string
  /** Text blocks of the page in order, kept or omitted. */
  textBlocks?: TextBlock[]
  /** Colours, fonts, spacing, buttons and logo, if the page shows them. */
  branding?: Branding
  /** Changes since the previous version. */
  changeTracking?: ChangeTracking
  /** Values in the shape of the schema. */
  json?: unknown
  /** Source of each value by its path: `offers.price`, `items[0].name`. */
  jsonEvidence?: Record<string, {
    /** Text of the page at this position. */
    text: string
    /** Source of the value: json-ld, microdata, label, table, records and others. */
    reader: string
    /** CSS selector of the element that contains the text. */
    selector?: string
    /** The property in structured data or metadata. */
    property?: string
  }>
  /** Sentences of the page, unchanged, the best passage first, with blank lines between passages. */
  highlights?: string
  /** Cleaned HTML. */
  html?: string
  /** Absolute URLs of the images. */
  images?: string[]
  /** Absolute URLs that the page links to. */
  links?: string[]
  /** The page as Markdown. */
  markdown?: string
  /** The product and its variants; at least one. */
  product?: Product
  /** A short answer if one is certain, followed by the relevant sentences of the page as Markdown quotes. */
  answer?: string
  /** The body as received, in base64. */
  rawBase64?: string
  /** The page as received. */
  rawHtml?: string
  /** URL of the screenshot; it expires after 24 hours. */
  screenshot?: string
  /** Three to five sentences; for a list, its title and first entries, one per line. */
  summary?: string
  /** The pages of a PDF; present if the parser option pages is set. */
  pages?: PdfPage[]
  /** The blocks of each page of a PDF; present if the parser option blocks is set. */
  blocks?: PdfPageBlocks[]
  /** Results of the actions, in order; present if the request has actions. */
  actions?: ActionResults
  /** Summary of the steps of the agent before the page was read, written by the language model. */
  task?: TaskResult
  /** Information for the caller: options without effect, limits reached. */
  warning?: string
  metadata?: ResultMetadata
}

export type Webhook = {
  url: string
  /** Headers sent with each delivery. */
  headers?: Record<string, string>
  /** Returned unchanged in each delivery. */
  metadata?: Record<string, unknown>
  /** Events that are delivered. Default: all. */
  events?: string[]
}

export type WriteAction = {
  type: "write"
  text: string
}

/** Response of: List the agents of the team, newest first. */
export type GetAgentResponse = {
  success: true
  agents: AgentListItem[]
  /** URL of the next page of runs; absent on the last page. */
  next?: string
  warning?: string
}

/** Response of: Find pages for a task and read values from them, in the background. */
export type PostAgentResponse = {
  success: true
  /** Id of the run. */
  id: string
  /** Pass it in the next run to continue the conversation. */
  threadId: string
  threadTurn: number
  warning?: string
}

/** Response of: Cancel an agent. */
export type DeleteAgentByIdResponse = {
  success: true
  warning?: string
}

/** Response of: Read the content that an event of the trace refers to. */
export type GetAgentSnapshotsByIdResponse = {
  success: true
  id: string
  snapshotId: string
  snapshot: string
  warning?: string
}

/** Response of: Read the runs of a conversation, oldest first. */
export type GetAgentThreadsByIdResponse = {
  success: true
  thread: AgentThread
  warning?: string
}

/** Response of: Scrape many URLs in the background. */
export type PostBatchScrapeResponse = {
  success: true
  /** Id of the batch. */
  id: string
  /** URL of the status. */
  url: string
  /** URLs that were skipped. */
  invalidURLs?: string[]
  warning?: string
}

/** Response of: Cancel a batch; scraped pages stay readable. */
export type DeleteBatchScrapeByIdResponse = {
  success: true
  status: "cancelled"
  warning?: string
}

/** Response of: List the URLs of a batch that failed, with reasons. */
export type GetBatchScrapeErrorsResponse = {
  success: true
  errors: PageError[]
  robotsBlocked: string[]
  warning?: string
}

/** Response of: Retry the failed pages of a batch as a new batch. */
export type PostBatchScrapeRetryResponse = {
  success: true
  /** Id of the new batch. */
  id: string
  /** URL of the status. */
  url: string
  /** Number of pages that are retried. */
  count: number
  warning?: string
}

/** Response of: List the browser sessions of the team, newest first. */
export type GetBrowserResponse = {
  success: true
  /** Newest first; at most 1,000. */
  sessions: Session[]
  warning?: string
}

/** Response of: Open a browser session for code, DevTools or live view. */
export type PostBrowserResponse = {
  success: true
  id: string
  /** WebSocket of the DevTools protocol, for Playwright and Puppeteer. */
  cdpUrl: string
  /** URL of a page to watch the browser live; empty if the session is not streamed. */
  liveViewUrl: string
  /** URL of a page to watch and control the browser. */
  interactiveLiveViewUrl: string
  expiresAt: string
  warning?: string
}

/** Response of: End a browser session and return its cost (idempotent). */
export type DeleteBrowserByIdResponse = {
  success: true
  status: "active" | "destroyed" | "error"
  sessionDurationMs: number
  creditsBilled: number
  warning?: string
}

/** Response of: Get a browser session. */
export type GetBrowserByIdResponse = {
  success: true
  id: string
  status: "active" | "destroyed" | "error"
  /** WebSocket of the DevTools protocol, for Playwright and Puppeteer. */
  cdpUrl: string
  /** URL of a page to watch the browser live; empty if the session is not streamed. */
  liveViewUrl: string
  /** URL of a page to watch and control the browser. */
  interactiveLiveViewUrl: string
  streamWebView: boolean
  createdAt: string
  lastActivity: string
  expiresAt: string
  /** Duration of the session. */
  sessionDurationMs?: number
  /** Cost of the session, after its end. */
  creditsBilled?: number
  /** Reason for the end, unless the session ended normally. */
  error?: string
  warning?: string
}

/** Response of: Run code in a browser session; `error` describes a failure of the code. */
export type PostBrowserExecuteResponse = {
  success: true
  stdout: string | null
  /** Value of the last expression; for a prompt, the page at the end. */
  result: string | null
  stderr: string | null
  /** 0 means success. */
  exitCode: number | null
  /** True if the run reached its timeout. */
  killed: boolean
  /** Error of the run. */
  error?: string
  /** True if the output was truncated. */
  truncated?: boolean
  warning?: string
}

/** Response of: Get the recording of a session; always 404, because sessions are not recorded. */
export type GetBrowserReplayResponse = {
  success: true
  warning?: string
}

/** Response of: List the profiles of the team by name, at most 1,000. */
export type GetBrowserProfilesResponse = {
  success: true
  profiles: SavedProfile[]
  warning?: string
}

/** Response of: Delete a profile (idempotent). */
export type DeleteBrowserProfilesByIdResponse = {
  success: true
  warning?: string
}

/** Response of: List the features of this installation, with reasons for missing ones. */
export type GetCapabilitiesResponse = {
  success: true
  version: string
  features: {
    name: string
    available: boolean
    /** Description of the feature, or the reason why it is unavailable. */
    note: string
    /** Steps for an operator to enable the feature. */
    enable?: string
  }[]
  warning?: string
}

/** Response of: Get used and available concurrency slots. */
export type GetConcurrencyCheckResponse = {
  success: true
  concurrency: number
  maxConcurrency: number
  warning?: string
}

/** Request of: Exchange the one-time login code for the API key of this machine. */
export type PostConsoleKeyRequest = {
  /** The text after `#code=` in the login link. */
  code: string
}

/** Response of: Exchange the one-time login code for the API key of this machine. */
export type PostConsoleKeyResponse = {
  success: true
  /** The key from the file api-key in DATA_DIR. */
  key: string
  warning?: string
}

/** Response of: Scrape the pages of a site in the background. */
export type PostCrawlResponse = {
  success: true
  /** Id of the crawl. */
  id: string
  /** URL of the status. */
  url: string
  /** Result of the prompt. */
  promptGeneratedOptions?: CrawlPreview
  /** The options of the crawl; present with a prompt. */
  finalCrawlerOptions?: Record<string, unknown>
  warning?: string
}

/** Response of: Cancel a crawl; scraped pages stay readable. */
export type DeleteCrawlByIdResponse = {
  success: true
  status: "cancelled"
  warning?: string
}

/** Response of: List the pages of a crawl that failed or were skipped, with reasons. */
export type GetCrawlErrorsResponse = {
  success: true
  /** Failed pages, as many as summary.failed, and skipped home pages of other sites (EXTERNAL_LINK). */
  errors: PageError[]
  /** URLs that robots.txt disallows. */
  robotsBlocked: string[]
  /** URLs that were not scraped; at most 1,000. */
  skipped: {
    url: string
    reason: string
  }[]
  /** Discovered URLs by state. Each URL is counted once. */
  summary: {
    completed: number
    failed: number
    cancelled: number
    living: number
    waiting: number
    /** Counts by reason. */
    skipped: Record<string, number>
  }
  warning?: string
}

/** Response of: Retry the failed pages of a crawl as a new batch. */
export type PostCrawlRetryResponse = {
  success: true
  /** Id of the new batch. */
  id: string
  /** URL of the status. */
  url: string
  /** Number of pages that are retried. */
  count: number
  warning?: string
}

/** Response of: List the running crawls of the team. */
export type GetCrawlActiveResponse = {
  success: true
  crawls: {
    id: string
    teamId: string
    url: string
    created_at: string
    options: {
      scrapeOptions: Record<string, unknown>
      [name: string]: unknown
    }
  }[]
  warning?: string
}

/** Response of: List the running crawls of the team (older path). */
export type GetCrawlOngoingResponse = {
  success: true
  crawls: {
    id: string
    teamId: string
    url: string
    created_at: string
    options: {
      scrapeOptions: Record<string, unknown>
      [name: string]: unknown
    }
  }[]
  warning?: string
}

/** Request of: Convert a prompt into options for a crawl. */
export type PostCrawlParamsPreviewRequest = {
  /** Start URL of the crawl. */
  url: string
  /** Description of the crawl in natural language. */
  prompt: string
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

/** Response of: Convert a prompt into options for a crawl. */
export type PostCrawlParamsPreviewResponse = {
  success: true
  data: CrawlPreview
  warning?: string
}

/** Response of: Read values from several pages or a complete site, in the background. */
export type PostExtractResponse = {
  success: true
  /** Id of the extract. */
  id: string
  /** Empty here; the status contains it, if requested. */
  urlTrace: unknown[]
  /** URLs that were skipped. */
  invalidURLs?: string[]
  warning?: string
}

/** Response of: Cancel an extract. */
export type DeleteExtractByIdResponse = {
  success: true
  status: "cancelled"
  warning?: string
}

/** Response of: List the feedback of the team, newest first. */
export type GetFeedbackResponse = {
  success: true
  data: Feedback[]
  cursor: string | null
  has_more: boolean
  warning?: string
}

/** Response of: Rate the result of a job. */
export type PostFeedbackResponse = {
  success: true
  feedbackId: string
  /** Credits that this request refunded: 1 for the first feedback on a search. */
  creditsRefunded: number
  /** True if the job already had feedback, which stays unchanged. */
  alreadySubmitted?: boolean
  /** True if the daily limit of refunds is reached. */
  dailyCapReached?: boolean
  creditsRefundedToday?: number
  /** Maximum refunds per day (TEAM_DAILY_REFUNDS). */
  dailyRefundCap?: number
  warning?: string
}

/** Response of: List the browser sessions of the team, newest first (also /v2/browser). */
export type GetInteractResponse = {
  success: true
  /** Newest first; at most 1,000. */
  sessions: Session[]
  warning?: string
}

/** Response of: Open a browser session for code, DevTools or live view (also /v2/browser). */
export type PostInteractResponse = {
  success: true
  id: string
  /** WebSocket of the DevTools protocol, for Playwright and Puppeteer. */
  cdpUrl: string
  /** URL of a page to watch the browser live; empty if the session is not streamed. */
  liveViewUrl: string
  /** URL of a page to watch and control the browser. */
  interactiveLiveViewUrl: string
  expiresAt: string
  warning?: string
}

/** Response of: End a browser session and return its cost (idempotent) (also /v2/browser). */
export type DeleteInteractByIdResponse = {
  success: true
  status: "active" | "destroyed" | "error"
  sessionDurationMs: number
  creditsBilled: number
  warning?: string
}

/** Response of: Get a browser session (also /v2/browser). */
export type GetInteractByIdResponse = {
  success: true
  id: string
  status: "active" | "destroyed" | "error"
  /** WebSocket of the DevTools protocol, for Playwright and Puppeteer. */
  cdpUrl: string
  /** URL of a page to watch the browser live; empty if the session is not streamed. */
  liveViewUrl: string
  /** URL of a page to watch and control the browser. */
  interactiveLiveViewUrl: string
  streamWebView: boolean
  createdAt: string
  lastActivity: string
  expiresAt: string
  /** Duration of the session. */
  sessionDurationMs?: number
  /** Cost of the session, after its end. */
  creditsBilled?: number
  /** Reason for the end, unless the session ended normally. */
  error?: string
  warning?: string
}

/** Response of: Run code in a browser session; `error` describes a failure of the code (also /v2/browser). */
export type PostInteractExecuteResponse = {
  success: true
  stdout: string | null
  /** Value of the last expression; for a prompt, the page at the end. */
  result: string | null
  stderr: string | null
  /** 0 means success. */
  exitCode: number | null
  /** True if the run reached its timeout. */
  killed: boolean
  /** Error of the run. */
  error?: string
  /** True if the output was truncated. */
  truncated?: boolean
  warning?: string
}

/** Response of: Get the recording of a session; always 404, because sessions are not recorded (also /v2/browser). */
export type GetInteractReplayResponse = {
  success: true
  warning?: string
}

/** Response of: List the profiles of the team by name, at most 1,000 (also /v2/browser). */
export type GetInteractProfilesResponse = {
  success: true
  profiles: SavedProfile[]
  warning?: string
}

/** Response of: Delete a profile (idempotent) (also /v2/browser). */
export type DeleteInteractProfilesByIdResponse = {
  success: true
  warning?: string
}

/** Response of: Get the trace of a job: plan, attempts, waits, sizes, warnings, webhook deliveries. */
export type GetJobsTraceResponse = {
  success: true
  data: JobTrace
  warning?: string
}

/** Response of: List the pages of a site. */
export type PostMapResponse = {
  success: true
  /** Id of this job. */
  id: string
  links: MapLink[]
  /** Number of pages by the source in which they were found. */
  sources: Record<string, number>
  /** Number of URLs that were skipped, by reason. */
  leftOut: Record<string, number>
  warning?: string
}

/** Response of: List API keys by prefix, oldest first, including revoked ones. */
export type GetOperatorKeysResponse = {
  success: true
  data: OperatorKey[]
  cursor: string | null
  has_more: boolean
  warning?: string
}

/** Request of: Create an API key; only this response contains it. */
export type PostOperatorKeysRequest = {
  /** Team of the key. */
  teamId: string
  /** True if the key can also call /v2/operator. */
  operator?: boolean
}

/** Response of: Create an API key; only this response contains it. */
export type PostOperatorKeysResponse = {
  success: true
  data: OperatorKey
  /** The key itself. Only its hash is stored. */
  key: string
  warning?: string
}

/** Response of: Revoke a key within a second. */
export type DeleteOperatorKeysByIdResponse = {
  success: true
  warning?: string
}

/** Response of: Get queue, storage and health of the installation. */
export type GetOperatorOverviewResponse = {
  success: true
  data: {
    version: string
    /** Uptime of the process that responds. */
    uptimeSeconds: number
    /** Totals of all teams. */
    queue: {
      /** Jobs by kind; kinds without jobs are omitted. */
      queued: Record<string, number>
      /** Jobs by kind; kinds without jobs are omitted. */
      running: Record<string, number>
      /** Jobs by kind; kinds without jobs are omitted. */
      held: Record<string, number>
    }
    /** Number of running jobs of all teams that use a slot. */
    slotsTaken: number
    storage: {
      /** Size of the database; null if unknown. */
      databaseBytes: number | null
      /** Size of stored pages, results and files, at most ten minutes old; null if unknown, as for a bucket. */
      blobBytes: number | null
      /** Free space on the disk of DATA_DIR; null if unknown. */
      freeBytes: number | null
    }
    health: {
      isReady: boolean
      /** `ok`, or the reason why a part does not work. */
      parts: Record<string, string>
      /** Age of the state of a part in seconds, for parts that this request did not check. */
      ages: Record<string, number>
      /** Problems that do not stop the service: `clock`, `search`. */
      warnings: Record<string, string>
    }
    /** The 20 teams with the most running jobs. */
    teams: {
      id: string
      name: string
      running: number
      concurrency: number
    }[]
  }
  warning?: string
}

/** Response of: List the teams of the installation, oldest first. */
export type GetOperatorTeamsResponse = {
  success: true
  data: OperatorTeam[]
  cursor: string | null
  has_more: boolean
  warning?: string
}

/** Request of: Create a team without a key. */
export type PostOperatorTeamsRequest = {
  /** Unique name of the team. */
  name: string
  /** Initial credits. Default: TEAM_CREDITS. */
  credits?: number
  /** True for no limit, regardless of TEAM_CREDITS. */
  unlimited?: boolean
  /** Maximum number of concurrent jobs of the team; null: TEAM_CONCURRENCY. */
  concurrency?: number | null
  /** True if requests may use zero data retention. */
  zeroDataRetention?: boolean
  /** True if stored pages of the team are indexed, so its searches find them. False also removes indexed pages. */
  searchIndex?: boolean
}

/** Response of: Create a team without a key. */
export type PostOperatorTeamsResponse = {
  success: true
  data: OperatorTeam
  warning?: string
}

/** Response of: Delete a team: end its keys, jobs and browsers immediately, and remove its data within half an hour. */
export type DeleteOperatorTeamsByIdResponse = {
  success: true
  warning?: string
}

/** Request of: Update a team: all given fields, or none. */
export type PostOperatorTeamsByIdRequest = {
  /** Credits to add. A team without a limit has one afterwards. */
  credits?: number
  /** True removes the limit of the team. False sets a limit; the team then has only granted credits. */
  unlimited?: boolean
  /** Maximum number of concurrent jobs of the team; null: TEAM_CONCURRENCY. */
  concurrency?: number | null
  /** True if requests may use zero data retention. */
  zeroDataRetention?: boolean
  /** True if stored pages of the team are indexed, so its searches find them. False also removes indexed pages. */
  searchIndex?: boolean
  /** `new` makes the secret that webhooks are signed with; `off` ends signing. */
  webhookSecret?: "new" | "off"
}

/** Response of: Update a team: all given fields, or none. */
export type PostOperatorTeamsByIdResponse = {
  success: true
  data: OperatorTeam
  /** Secret for verifying signatures. Only in the response to `webhookSecret: new`. */
  webhookSecret?: string
  warning?: string
}

/** Request of: Convert one file and return it in the requested formats. */
export type PostParseRequest = {
  /** File to convert. */
  file: string
  /** Options as JSON text. */
  options?: ParseOptions
}

/** Response of: Convert one file and return it in the requested formats. */
export type PostParseResponse = {
  success: true
  data: ParsedDocument
  warning?: string
}

/** Response of: Get the result of a previous parse. */
export type GetParseByIdResponse = {
  success: true
  data: ParsedDocument
  warning?: string
}

/** Response of: Fetch one URL and return it in the requested formats. */
export type PostScrapeResponse = {
  success: true
  data: Document
  warning?: string
}

/** Response of: Get the result of a previous scrape. */
export type GetScrapeByIdResponse = {
  success: true
  data: Document
  warning?: string
}

/** Response of: End the browser of a scrape and return its cost (idempotent). */
export type DeleteScrapeInteractResponse = {
  success: true
  status: "active" | "destroyed" | "error"
  sessionDurationMs: number
  creditsBilled: number
  warning?: string
}

/** Request of: Run code or a prompt in a browser on the page of a previous scrape. */
export type PostScrapeInteractRequest = {
  /** Code that runs with `page`, `context` and `browser`. */
  code?: string
  /** Task in natural language. Requires a language model. */
  prompt?: string
  /** Language of the code; `bash` includes the command agent-browser. */
  language?: "python" | "node" | "bash"
  /** Time limit in seconds. Default: 30 for code, 240 for a prompt. */
  timeout?: number
  /** Maximum lifetime of the session in seconds. */
  ttl?: number
  /** Seconds without activity until the session ends. */
  activityTtl?: number
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

/** Response of: Search the web and your indexed pages. */
export type PostSearchResponse = {
  success: true
  data: SearchData
  /** Id of this job. */
  id: string
  /** Credits of the search and of the completed scrapes. */
  creditsUsed: number
  /** Scrape ids of the results, in order, with asyncScraping; GET /v2/scrape/{id} returns each document. */
  scrapeIds?: {
    web?: string[]
    news?: string[]
  }
  warning?: string
}

/** Response of: Rate the results of a search; the first feedback refunds a credit. */
export type PostSearchFeedbackResponse = {
  success: true
  feedbackId: string
  /** Credits that this request refunded: 1 for the first feedback on a search. */
  creditsRefunded: number
  /** True if the job already had feedback, which stays unchanged. */
  alreadySubmitted?: boolean
  /** True if the daily limit of refunds is reached. */
  dailyCapReached?: boolean
  creditsRefundedToday?: number
  /** Maximum refunds per day (TEAM_DAILY_REFUNDS). */
  dailyRefundCap?: number
  warning?: string
}

/** Response of: Find issues, pull requests, repositories and your indexed pages about code. */
export type GetSearchDeveloperResponse = {
  success: true
  results: DeveloperSearchResult[]
  /** skipped: not requested; unavailable: the source could not be searched, see warning. */
  coverage: {
    doc: "ok" | "skipped" | "unavailable"
    issue: "ok" | "skipped" | "unavailable"
    pull_request: "ok" | "skipped" | "unavailable"
    readme: "ok" | "skipped" | "unavailable"
  }
  reranked: boolean
  repos?: {
    repo: string
    /** True if the source has results. */
    indexed: boolean
    types: {
      issue: boolean
      pullRequest: boolean
      readme: boolean
    }
  }[]
  sources?: {
    source: string
    /** True if your indexed pages include pages of the site. */
    indexed: boolean
  }[]
  warning?: string
}

/** Response of: Find issues, pull requests, repositories and your indexed pages about code. */
export type PostSearchDeveloperResponse = {
  success: true
  results: DeveloperSearchResult[]
  /** skipped: not requested; unavailable: the source could not be searched, see warning. */
  coverage: {
    doc: "ok" | "skipped" | "unavailable"
    issue: "ok" | "skipped" | "unavailable"
    pull_request: "ok" | "skipped" | "unavailable"
    readme: "ok" | "skipped" | "unavailable"
  }
  reranked: boolean
  repos?: {
    repo: string
    /** True if the source has results. */
    indexed: boolean
    types: {
      issue: boolean
      pullRequest: boolean
      readme: boolean
    }
  }[]
  sources?: {
    source: string
    /** True if your indexed pages include pages of the site. */
    indexed: boolean
  }[]
  warning?: string
}

/** Response of: Find issues and repositories on GitHub. */
export type GetSearchResearchGithubResponse = {
  success: true
  results: {
    resultType: "github_history" | "repo_readme"
    repo: string
    url: string
    title: string
    pageType?: string
    number?: number
    snippet: string
    scores: {
      rrf: number
    }
  }[]
  /** Endpoint with more results. */
  replacement: string
  warning?: string
}

/** Response of: Find papers in open catalogues. */
export type GetSearchResearchPapersResponse = {
  success: true
  results: PaperResult[]
  warning?: string
}

/** Response of: Get a paper from open catalogues, or its passages that answer a query. */
export type GetSearchResearchPapersByIdResponse = {
  success: true
  paper: Paper
  /** Only with query. */
  paperId?: string
  query?: string
  passages?: {
    text: string
    score: number
  }[]
  warning?: string
}

/** Response of: Find papers related to others by citations. */
export type GetSearchResearchPapersSimilarResponse = {
  success: true
  results: PaperResult[]
  /** Number of related papers. */
  poolSize: number
  truncated: boolean
  note: string | null
  warning?: string
}

/** Response of: Answer a question about this service from its documentation. */
export type PostSupportDocsSearchResponse = {
  success: true
  requestId: string
  /** Answer from the documentation, each sentence with its source; written by a language model, if configured. */
  answer: string
  /** Matching sections, best first; empty if the documentation does not cover the question. */
  evidence: {
    /** File of the repository with an anchor: docs/search.md#the-query. */
    pathOrUrl: string
    /** Summary of the section, and its passages about the question. */
    reason: string
  }[]
  /** Tokens of the language model; zero without one. */
  usage: {
    inputTokens: number
    outputTokens: number
    totalTokens: number
  }
  durationMs: number
  warning?: string
}

/** Response of: List the calls of the team in the last 24 hours, newest first. */
export type GetTeamActivityResponse = {
  success: true
  data: {
    id: string
    endpoint: string
    api_version: string
    created_at: string
    target: string | null
    state: "queued" | "running" | "completed" | "failed" | "cancelled"
    /** Error code of a failed call. */
    code?: string
  }[]
  cursor: string | null
  has_more: boolean
  warning?: string
}

/** Response of: Get the remaining credits of the team. */
export type GetTeamCreditUsageResponse = {
  success: true
  data: {
    remainingCredits: number
    planCredits: number
    /** True if the team has no credit limit; the numbers are then placeholders. */
    unlimited: boolean
    billingPeriodStart: string | null
    billingPeriodEnd: string | null
  }
  warning?: string
}

/** Response of: List used credits per period, oldest first. */
export type GetTeamCreditUsageHistoricalResponse = {
  success: true
  periods: {
    startDate: string
    endDate: string
    apiKey?: string
    creditsUsed: number
    totalCredits: number
  }[]
  warning?: string
}

/** Response of: Get the team and the key of this request. */
export type GetTeamMeResponse = {
  success: true
  data: {
    team: {
      id: string
      name: string
      /** Maximum number of concurrent jobs of the team. */
      concurrency: number
      /** True if requests may use zero data retention. */
      zeroDataRetention: boolean
      /** True if stored pages of the team are indexed, so its searches find them. */
      searchIndex: boolean
    }
    /** Prefix of the key; null if AUTH=off. */
    keyHint: string | null
    /** True if this key can also call /v2/operator. */
    isOperator: boolean
  }
  warning?: string
}

/** Response of: Get the number of running and waiting jobs of the team. */
export type GetTeamQueueStatusResponse = {
  success: true
  jobsInQueue: number
  activeJobsInQueue: number
  waitingJobsInQueue: number
  maxConcurrency: number
  mostRecentSuccess: string | null
  warning?: string
}

/** Response of: Get the remaining credits in tokens (1 credit = 15 tokens). */
export type GetTeamTokenUsageResponse = {
  success: true
  data: {
    remainingTokens: number
    planTokens: number
    /** True if the team has no credit limit; the numbers are then placeholders. */
    unlimited: boolean
    billingPeriodStart: string | null
    billingPeriodEnd: string | null
    /** Language model usage of the team, separate from credits. */
    modelTokens: {
      /** Input and output tokens of today (UTC). */
      today: number
      /** Maximum per day (MODEL_TOKENS_PER_TEAM_PER_DAY); null for no limit. */
      todayLimit: number | null
      /** Tokens of this billing period, as counted by the model. */
      inputTokens: number
      outputTokens: number
      /** Requests to the model in this billing period. */
      calls: number
    }
  }
  warning?: string
}

/** Response of: List used tokens per period, oldest first. */
export type GetTeamTokenUsageHistoricalResponse = {
  success: true
  periods: {
    startDate: string
    endDate: string
    apiKey?: string
    tokensUsed: number
    totalTokens: number
  }[]
  /** Language model tokens per period, input and output, of all keys. */
  modelPeriods: {
    startDate: string
    endDate: string
    tokens: number
  }[]
  warning?: string
}

/** Response of: List the pages that the team tracks with changeTracking, most recently seen first. */
export type GetTeamTrackedPagesResponse = {
  success: true
  data: TrackedPage[]
  cursor: string | null
  has_more: boolean
  warning?: string
}

/** Response of: Get a tracked page and its versions, newest first. */
export type GetTeamTrackedPagesByIdResponse = {
  success: true
  data: TrackedHistory
  warning?: string
}

/** Response of: Compare two versions of a tracked page. */
export type GetTeamTrackedPagesDiffResponse = {
  success: true
  data: {
    from: PageVersion
    to: PageVersion
    /** True if the versions differ at most in white space. */
    isSame: boolean
    /** Unified diff of the Markdown; absent if the versions are equal. */
    diff?: string
    /** The same diff as structured data. */
    diffJson?: {
      files: {
        from: string | null
        to: string | null
        chunks: {
          content: string
          changes: {
            type: "add" | "del" | "normal"
            add?: true
            del?: true
            normal?: true
            /** Line number, from 1. */
            ln?: number
            /** Line number, from 1. */
            ln1?: number
            /** Line number, from 1. */
            ln2?: number
            content: string
          }[]
        }[]
      }[]
    }
  }
  warning?: string
}

/** Response of: List credits and calls of the team per day, oldest first. */
export type GetTeamUsageResponse = {
  success: true
  data: {
    /** Date in UTC. */
    date: string
    /** Charged credits minus refunds. */
    credits: number
    /** Credits by kind of job; refunds have a separate kind. */
    creditsByKind: Record<string, number>
    calls: number
    /** Calls of this day by state. */
    callsByState: Record<string, number>
  }[]
  warning?: string
}

/** Response of: List webhook deliveries, newest first. */
export type GetWebhooksDeliveriesResponse = {
  success: true
  data: Delivery[]
  cursor: string | null
  has_more: boolean
  warning?: string
}

/** Response of: Get a delivery with its URL and payload. */
export type GetWebhooksDeliveriesByIdResponse = {
  success: true
  data: DeliveryDetails
  warning?: string
}

/** Response of: Resend a webhook event with its original id. */
export type PostWebhooksDeliveriesReplayResponse = {
  success: true
  data: Delivery
  warning?: string
}

/** Request of: Send a test event to a webhook. */
export type PostWebhooksTestRequest = {
  /** Same fields as in a crawl or a batch. */
  webhook: string | Webhook
  /** Label of the caller, stored with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

/** Response of: Send a test event to a webhook. */
export type PostWebhooksTestResponse = {
  success: true
  /** Id of the delivery; read it with GET /v2/webhooks/deliveries/{id}. */
  webhookId: string
  warning?: string
}
