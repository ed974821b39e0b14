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
  /** A run that was cancelled has failed, and stopReason says so: clients know no other word. */
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
  /** What is wanted, in words. */
  prompt: string
  /** Where to begin. One that ends in /* stands for pages of the site below it. */
  urls?: string[]
  /** JSON schema of the values. Default: made from the prompt. */
  schema?: unknown
  /** No page is read and nothing is searched that could cost more than this in total. */
  maxCredits?: number
  /** Read the pages of urls only. */
  strictConstrainToURLs?: boolean
  /** Has no effect here: the language model of this installation is used. */
  model?: "spark-1-pro" | "spark-1-mini" | "spark-2"
  /** How many steps it may take: 5, 10 or 20. Default: medium. */
  effort?: "low" | "medium" | "high"
  /** Where events of the job are sent: an address, or an object with headers, metadata and events. */
  webhook?: string | AgentWebhook
  /** Continue this thread: earlier runs are known. */
  threadId?: string
  /** extract: values in data; chat: an answer in words in message. */
  mode?: "extract" | "chat"
  /** Has no effect here: there are no paid providers. */
  exchange?: unknown
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type AgentStatus = {
  success: true
  /** A run that was cancelled has failed, and stopReason says so: clients know no other word. */
  status: "processing" | "completed" | "failed"
  data?: unknown
  /** The answer, in the mode chat. */
  message?: string
  error?: string
  code?: string
  /** Why it ended before it was done: cancelled, credit_limit_reached, step_limit, model. */
  stopReason?: string
  /** The pages that state each value, by its path. */
  sources?: Record<string, string[]>
  /** Fields of which pages state different values: each value with its pages. */
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
    /** With includeData. */
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
  /** Handed back in each delivery. */
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
  /** Maximum number of pages of the batch scraped at the same time. Default: the slots of the team. */
  maxConcurrency?: number
  /** Where events of the job are sent: an address, or an object with headers, metadata and events. */
  webhook?: string | Webhook
  /** Not available for batches, because their results are stored until they are read. */
  zeroDataRetention?: boolean
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type BlocksFormat = {
  type: "blocks"
}

export type Branding = {
  colorScheme: "light" | "dark"
  /** URL of the logo; an inline drawing is returned as a data URL. */
  logo: string | null
  brandName?: string
  colors?: {
    /** As #RRGGBB. */
    primary?: string
    /** As #RRGGBB. */
    secondary?: string
    /** As #RRGGBB. */
    accent?: string
    /** As #RRGGBB. */
    background?: string
    /** As #RRGGBB. */
    textPrimary?: string
    /** As #RRGGBB. */
    textSecondary?: string
    /** As #RRGGBB. */
    link?: string
    /** As #RRGGBB. */
    success?: string
    /** As #RRGGBB. */
    warning?: string
    /** As #RRGGBB. */
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
      /** As #RRGGBB. */
      background?: string
      /** As #RRGGBB. */
      textColor?: string
      /** As #RRGGBB. */
      borderColor?: string
      borderRadius?: string
      [name: string]: unknown
    }
    buttonSecondary?: {
      /** As #RRGGBB. */
      background?: string
      /** As #RRGGBB. */
      textColor?: string
      /** As #RRGGBB. */
      borderColor?: string
      borderRadius?: string
      [name: string]: unknown
    }
    input?: {
      /** As #RRGGBB. */
      borderColor?: string
      borderRadius?: string
      [name: string]: unknown
    }
    [name: string]: unknown
  }
  icons?: {
    /** outline or filled. */
    style?: string
    /** As #RRGGBB. */
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
  /** When the previous version was fetched. */
  previousScrapeAt: string | null
  /** removed: the page returns 404 or 410. With mode json, another value is a change as well. */
  changeStatus: "new" | "same" | "changed" | "removed"
  visibility: "visible" | "hidden"
  /** Unified diff of the Markdown, with mode git-diff. */
  diff?: string
  /** The same in parts. */
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
          /** Number of the line, from 1. */
          ln?: number
          /** Number of the line, from 1. */
          ln1?: number
          /** Number of the line, from 1. */
          ln2?: number
          content: string
        }[]
      }[]
    }[]
  }
  /** With mode json, the fields that differ, by their paths; null stands for a value that was not read. */
  json?: Record<string, {
    previous: unknown
    current: unknown
  }>
}

export type ChangeTrackingFormat = {
  type: "changeTracking"
  /** How changes are shown: git-diff, the lines that differ; json, the values that differ. */
  modes?: ("git-diff" | "json")[]
  /** With mode json: JSON schema of the values that are compared. */
  schema?: unknown
  /** With mode json: what is wanted, in words. Read by a language model only. */
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
  /** Patterns: only pages whose path matches one of them are scraped. */
  includePaths?: string[]
  /** Patterns: pages whose path matches one of them are not scraped. */
  excludePaths?: string[]
  /** Steps from the start. Pages at the limit are scraped, but nothing is followed from them. */
  maxDiscoveryDepth?: number
  /** Follow links to pages beside and above the start. Default: only pages below it. */
  crawlEntireDomain?: boolean
  /** Scrape pages of other sites that the site links to, one step far. Default: false. */
  allowExternalLinks?: boolean
  /** Follow links to other subdomains. Default: false. */
  allowSubdomains?: boolean
  /** What to do with sitemaps. Default: include. */
  sitemap?: "skip" | "include" | "only"
  /** Pages that differ in their query only are one page. Default: false. */
  ignoreQueryParameters?: boolean
  /** Do not ask robots.txt. Default: false. */
  ignoreRobotsTxt?: boolean
  /** Name to look for in robots.txt. Default: WinnowBot. */
  robotsUserAgent?: string
  /** www, http, slashes at the end and index files make no difference. Default: true. */
  deduplicateSimilarURLs?: boolean
  /** Seconds between two pages; then one is scraped at a time. */
  delay?: number
  /** Most pages that are returned. Default: 10000. */
  limit?: number
}

export type CrawlRequest = {
  /** Where the crawl starts. */
  url: string
  /** What to crawl, in plain language. Options that are given win over it. */
  prompt?: string
  /** Patterns: only pages whose path matches one of them are scraped. */
  includePaths?: string[]
  /** Patterns: pages whose path matches one of them are not scraped. */
  excludePaths?: string[]
  /** Patterns see the whole URL, not the path. Default: false. */
  regexOnFullURL?: boolean
  /** Steps from the start. Pages at the limit are scraped, but nothing is followed from them. */
  maxDiscoveryDepth?: number
  /** What to do with sitemaps. Default: include. */
  sitemap?: "skip" | "include" | "only"
  /** Pages that differ in their query only are one page. Default: false. */
  ignoreQueryParameters?: boolean
  /** www, http, slashes at the end and index files make no difference. Default: true. */
  deduplicateSimilarURLs?: boolean
  /** Most pages that are returned. Default: 10000. */
  limit?: number
  /** Follow links to pages beside and above the start. Default: only pages below it. */
  crawlEntireDomain?: boolean
  /** Scrape pages of other sites that the site links to, one step far. Default: false. */
  allowExternalLinks?: boolean
  /** Leave out texts that most pages of the site show; never headings, terms, cells or code. Default: false: each page reads as if it were scraped alone. */
  removeRepeatedContent?: boolean
  /** Follow links to other subdomains. Default: false. */
  allowSubdomains?: boolean
  /** Do not ask robots.txt. Default: false. */
  ignoreRobotsTxt?: boolean
  /** Name to look for in robots.txt. Default: WinnowBot. */
  robotsUserAgent?: string
  /** Seconds between two pages; then one is scraped at a time. */
  delay?: number
  /** Most pages scraped at the same time. Default: as many as the team has slots. */
  maxConcurrency?: number
  /** How each page is scraped. */
  scrapeOptions?: ScrapeOptions
  /** Where events of the job are sent: an address, or an object with headers, metadata and events. */
  webhook?: string | Webhook
  /** Not available for crawls: their results are kept to be read. */
  zeroDataRetention?: boolean
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type Delivery = {
  /** Id of the delivery, the same in all its attempts. */
  webhookId: string
  /** Id of the job that the event is about. */
  id: string
  /** The event. */
  type: string
  state: "waiting" | "delivered" | "failed"
  attempts: {
    at: string
    /** How long the attempt took. */
    ms: number
    /** What the receiver answered. */
    status?: number
    error?: string
  }[]
  createdAt: string
  /** Present while it waits. */
  nextAttemptAt?: string
}

export type DeliveryDetails = {
  /** Id of the delivery, the same in all its attempts. */
  webhookId: string
  /** Id of the job that the event is about. */
  id: string
  /** The event. */
  type: string
  state: "waiting" | "delivered" | "failed"
  attempts: {
    at: string
    /** How long the attempt took. */
    ms: number
    /** What the receiver answered. */
    status?: number
    error?: string
  }[]
  createdAt: string
  /** Present while it waits. */
  nextAttemptAt?: string
  /** Where it is sent; absent once the webhook of the job is removed. */
  url?: string
  /** What is sent, with the documents as they are kept now; absent with the url. */
  payload?: Record<string, unknown>
}

export type DeterministicJsonFormat = {
  type: "deterministicJson"
  /** JSON schema of the values. Required. */
  schema?: unknown
  /** No effect: words are read by a language model only, see the format json. */
  prompt?: string | null
}

export type DeveloperSearchRequest = {
  /** A question about code, a library or an error. */
  query: string
  /** Most results, 1 to 100. */
  k?: number
  /** Passages of each result, 1 to 5. */
  passages?: number
  /** What to search: doc are own pages; the others are of GitHub. Default: all. */
  types?: ("doc" | "issue" | "pull_request" | "readme")[]
  /** Repositories of GitHub, owner/name. */
  repos?: string[]
  /** Hostnames of own pages. */
  sources?: string[]
  /** Main language of the repository. */
  language?: string
  /** Topics that the repository has, all of them. */
  topic?: string[]
  /** SPDX identifier of its licence. */
  license?: string
  min_stars?: number
  max_stars?: number
  archived?: boolean
  fork?: boolean
  /** Not available here. */
  skills?: "only"
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type DeveloperSearchResult = {
  /** Such as issue:owner/name#1. */
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
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type Document = {
  /** The values in document order, unchanged: URLs are not made absolute. */
  attributes?: {
    selector: string
    attribute: string
    values: string[]
  }[]
  /** URL of the MP3; it expires after one hour. */
  audio?: string
  /** The blocks of text of the page in order, kept or left out. */
  textBlocks?: TextBlock[]
  /** Colours, fonts, spacing, buttons and logo, as far as the page shows them. */
  branding?: Branding
  /** Changes since the previous version. */
  changeTracking?: ChangeTracking
  /** The values, in the shape of the schema. */
  json?: unknown
  /** Where each value comes from, by its path: `offers.price`, `items[0].name`. */
  jsonEvidence?: Record<string, {
    /** What the page says there. */
    text: string
    /** How it was read: json-ld, microdata, label, table, records and so on. */
    reader: string
    /** The element in which the text stands, as a CSS selector. */
    selector?: string
    /** The property in structured data or metadata. */
    property?: string
  }>
  /** Sentences as they stand on the page, the best passage first, with blank lines between passages. */
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
  /** A short answer if one is certain, then the sentences of the page that answer, as Markdown quotes. */
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
  /** Results of the actions, in order; present if there were any. */
  actions?: ActionResults
  /** What an agent did on the page before it was read, in the words of its language model. */
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
  /** Language of the code; `bash` has the command agent-browser. */
  language?: "python" | "node" | "bash"
  /** Time limit of the code in seconds. */
  timeout?: number
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type ExtractRequest = {
  /** Pages to read. One that ends in /* stands for pages of the site below it. */
  urls?: string[]
  /** What is wanted, in words. Without a schema it needs a language model. */
  prompt?: string
  /** What the language model shall observe besides the prompt. */
  systemPrompt?: string
  /** JSON schema of the values. */
  schema?: unknown
  /** Maximum number of pages that are read; the most relevant ones of a site are taken. */
  limit?: number
  /** Find pages of a site by its links alone. */
  ignoreSitemap?: boolean
  /** Also read pages of other subdomains of a site. */
  includeSubdomains?: boolean
  /** Also read pages of other sites to which a site links. Needs an address that ends in /*. */
  allowExternalLinks?: boolean
  /** Also read pages that a search for the prompt finds. On by itself where no URL is given. */
  enableWebSearch?: boolean
  /** Add the pages that state each value, and every value on which pages disagree. */
  showSources?: boolean
  /** How each page is scraped. */
  scrapeOptions?: ScrapeOptions
  /** Skip invalid URLs instead of rejecting the call. */
  ignoreInvalidURLs?: boolean
  /** Time budget (ms). Pages that have not been read by then are left out and named. */
  timeout?: number
  /** Has no effect here: POST /v2/agent looks for pages by itself. */
  agent?: {
    model?: string
  } | null
  /** Add what became of each page. */
  urlTrace?: boolean
  /** Where events of the job are sent: an address, or an object with headers, metadata and events. */
  webhook?: string | Webhook
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type ExtractStatus = {
  /** False when it failed. */
  success: boolean
  status: "processing" | "completed" | "failed" | "cancelled"
  /** The values in the shape of the schema; an empty list while it is processing. */
  data: unknown
  expiresAt: string
  /** Why it failed. */
  error?: string
  /** The error code, when it failed. */
  code?: string
  warning?: string
  /** The pages that state each value, by its path. */
  sources?: Record<string, string[]>
  /** Fields of which pages state different values: each value with its pages. */
  conflicts?: Conflict[]
  /** What was done, in order. */
  steps?: {
    step: string
    status: string
    discoveredLinks?: string[]
  }[]
  /** With urlTrace: what became of each page. */
  urlTrace?: TracedUrl[]
  /** creditsUsed, in tokens. */
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
    /** What was expected and not found. */
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
  /** What kind of job it is about. */
  endpoint: "search" | "scrape" | "parse" | "map"
  /** The job it is about. */
  jobId: string
  rating: "good" | "partial" | "bad"
  valuableSources?: {
    /** A result that was useful. */
    url: string
    reason?: string
  }[]
  /** The same by place in the list of results. */
  valuableResultPositions?: number[]
  missingContent?: {
    /** What was expected and not found. */
    topic: string
    description?: string
  }[]
  /** How the query should be changed. */
  querySuggestions?: string
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
  /** What was wrong, as short names: missing_markdown. */
  issues?: string[]
  tags?: string[]
  note?: string
  /** The page it is about. */
  url?: string
  /** Pages of a document. */
  pageNumbers?: number[]
  metadata?: Record<string, unknown>
}

export type Format = "audio" | "blocks" | "branding" | "changeTracking" | "chunks" | "html" | "images" | "json" | "links" | "markdown" | "menu" | "product" | "rawBase64" | "rawHtml" | "screenshot" | "summary" | "video" | AttributesFormat | AudioFormat | BlocksFormat | BrandingFormat | ChangeTrackingFormat | ChunksFormat | DeterministicJsonFormat | HighlightsFormat | HtmlFormat | ImagesFormat | JsonFormat | LinksFormat | MarkdownFormat | MenuFormat | ProductFormat | QueryFormat | QuestionFormat | RawBase64Format | RawHtmlFormat | ScreenshotFormat | SummaryFormat | VideoFormat

export type HighlightsFormat = {
  type: "highlights"
  /** What to look for. */
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
  /** Place in the list, from 1. */
  position: number
  imageWidth?: number
  imageHeight?: number
}

export type ImagesFormat = {
  type: "images"
}

export type InteractResult = {
  /** Whether the run completed without errors. */
  success: boolean
  sessionId: string
  /** WebSocket of the DevTools protocol, for Playwright and Puppeteer. */
  cdpUrl: string
  /** Page to watch the browser; empty if the session is not streamed. */
  liveViewUrl: string
  /** Page to watch and control the browser. */
  interactiveLiveViewUrl: string
  /** The answer to a prompt. */
  output?: string
  stdout: string | null
  /** The value of the last expression; for a prompt, the page at the end. */
  result: string | null
  stderr: string | null
  /** 0 means success. */
  exitCode: number | null
  /** The run was ended because it reached its timeout. */
  killed: boolean
  /** What went wrong. */
  error?: string
  /** The output was truncated. */
  truncated?: boolean
  warning?: string
}

export type JobStatus = {
  success: true
  status: "scraping" | "completed" | "failed" | "cancelled"
  /** Pages that have not failed. */
  total: number
  completed: number
  creditsUsed: number
  expiresAt: string
  createdAt: string
  completedAt?: string
  /** Seconds from the start to the end; present when it has ended. */
  duration?: number
  /** Why it failed. */
  error?: string
  /** Where the next documents are; absent when there are none now. */
  next?: string
  data: Document[]
  warning?: string
}

export type JobTrace = {
  id: string
  kind: string
  state: string
  target: string | null
  /** The crawl or batch that it is a page of. */
  parentId: string | null
  /** How often it was started. */
  attempts: number
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** Charged, or set aside while it runs. */
  credits: number
  error: {
    code: string
    error: string
    detail: Record<string, unknown>
  } | null
  /** What happened, in order. Empty while the job runs; of a crawl, how it began. */
  steps: TraceStep[]
  /** Of a crawl or a batch. */
  pages: {
    queued: number
    running: number
    completed: number
    failed: number
    cancelled: number
    /** Addresses that a crawl left out, by reason. */
    skipped: Record<string, number>
    /** Why pages failed, the commonest reason first. */
    errors: {
      code: string
      count: number
      /** One of these jobs. */
      id: string
    }[]
    /** What the crawl has to say of its site. */
    notes: string[]
  } | null
  /** Webhooks of the job, the newest first. */
  deliveries: {
    /** Id of the delivery, the same in all its attempts. */
    webhookId: string
    /** Id of the job that the event is about. */
    id: string
    /** The event. */
    type: string
    state: "waiting" | "delivered" | "failed"
    attempts: {
      at: string
      /** How long the attempt took. */
      ms: number
      /** What the receiver answered. */
      status?: number
      error?: string
    }[]
    createdAt: string
    /** Present while it waits. */
    nextAttemptAt?: string
  }[]
}

export type JsonFormat = {
  type: "json"
  /** JSON schema of the values. */
  schema?: unknown
  /** What is wanted, in words. Read by a language model only. */
  prompt?: string | null
  /** Accepted: instructions on a page never change what is read, whatever this says. */
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
  /** The site, or a part of it. */
  url: string
  /** Sorts all found pages by relevance to this text, before limit cuts them. Only its first 50 words count. */
  search?: string
  /** skip: do not read sitemaps; only: read nothing else; include: read both, so it never lists less than skip. */
  sitemap?: "skip" | "include" | "only"
  /** Also list pages of other subdomains. */
  includeSubdomains?: boolean
  /** Leave out URLs with a query. */
  ignoreQueryParameters?: boolean
  /** Read sitemaps again; otherwise they are cached for seven days. */
  ignoreCache?: boolean
  /** Maximum number of pages in the response. */
  limit?: number
  /** Time budget (ms). The call returns the pages found by then. */
  timeout?: number
  /** Country and languages to emulate. */
  location?: Location
  /** Headers sent to the site with each page that is read for links. */
  headers?: Record<string, string>
  /** Patterns: only pages whose path matches one of them are listed. */
  includePaths?: string[]
  /** Patterns: pages whose path matches one of them are not listed. */
  excludePaths?: string[]
  /** List pages of other sites that the site links to. */
  allowExternalLinks?: boolean
  /** A URL with a path lists pages below it only. */
  filterByPath?: boolean
  /** Has no effect here: there is no index of other sites. */
  useIndex?: boolean
  /** Label of the caller, kept with the job. */
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
  /** Place in the list, from 1. */
  position: number
  /** Where words of the query stand in the text beside: first character, and the one after the last. */
  marks?: [number, number][]
  date?: string
  imageUrl?: string
  /** The values in document order, unchanged: URLs are not made absolute. */
  attributes?: {
    selector: string
    attribute: string
    values: string[]
  }[]
  /** URL of the MP3; it expires after one hour. */
  audio?: string
  /** The blocks of text of the page in order, kept or left out. */
  textBlocks?: TextBlock[]
  /** Colours, fonts, spacing, buttons and logo, as far as the page shows them. */
  branding?: Branding
  /** Changes since the previous version. */
  changeTracking?: ChangeTracking
  /** The values, in the shape of the schema. */
  json?: unknown
  /** Where each value comes from, by its path: `offers.price`, `items[0].name`. */
  jsonEvidence?: Record<string, {
    /** What the page says there. */
    text: string
    /** How it was read: json-ld, microdata, label, table, records and so on. */
    reader: string
    /** The element in which the text stands, as a CSS selector. */
    selector?: string
    /** The property in structured data or metadata. */
    property?: string
  }>
  /** Sentences as they stand on the page, the best passage first, with blank lines between passages. */
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
  /** A short answer if one is certain, then the sentences of the page that answer, as Markdown quotes. */
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
  /** Results of the actions, in order; present if there were any. */
  actions?: ActionResults
  /** What an agent did on the page before it was read, in the words of its language model. */
  task?: TaskResult
  /** Information for the caller: options without effect, limits reached. */
  warning?: string
  metadata?: ResultMetadata
}

export type OperatorKey = {
  id: string
  /** The first characters of the key. */
  hint: string
  team: {
    id: string
    name: string
  }
  isOperator: boolean
  createdAt: string
  /** To ten minutes; null: not known. */
  lastUsedAt: string | null
  revokedAt: string | null
}

export type OperatorTeam = {
  id: string
  name: string
  /** Credits that are left; null: the team has no limit. */
  balance: number | null
  unlimited: boolean
  /** Jobs of the team that may run at once. */
  concurrency: number
  /** The concurrency is TEAM_CONCURRENCY. */
  hasDefaultConcurrency: boolean
  /** Calls of the team may ask for zero data retention. */
  zeroDataRetention: boolean
  /** Stored pages of the team are indexed, so that its searches find them. */
  searchIndex: boolean
  /** The team has a secret that its webhooks are signed with. */
  signsWebhooks: boolean
  /** The secret that is derived from WEBHOOK_SECRET and signs the webhooks of this team, because it has no own one; null if it has one, if it is the first team, or if WEBHOOK_SECRET is not set. */
  derivedWebhookSecret: string | null
  /** Keys that are not revoked. */
  keys: number
  /** In the last 30 days. */
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
  /** When it was first seen. */
  at: string
  /** When the page was last seen like this. */
  lastSeen: string
  /** Bytes of its Markdown; null where that was not noted. */
  size: number | null
}

export type Paper = {
  paperId: string
  /** What it is known by, by scheme. */
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
  /** The name to ask for it by. */
  primaryId: string
  /** What it is known by, by scheme. */
  ids: Record<string, string[]>
  title: string
  /** Empty where no provider has it. */
  abstract: string
  url: string
  score: number
  signals?: {
    structural: number
    semantic: number
    /** How many papers cite it. */
    articleRank: number
    seedOverlap: number
  }
}

export type ParseOptions = {
  /** What to return. An empty list returns metadata only. */
  formats?: Format[]
  /** Leave out headers, navigation and footers. */
  onlyMainContent?: boolean
  /** How much onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the whole element that contains it; article: only what is certainly its text. */
  mainContentMode?: "balanced" | "container" | "article"
  /** CSS selectors: keep only what they match. */
  includeTags?: string[]
  /** CSS selectors: remove what they match. */
  excludeTags?: string[]
  /** No effect: nothing is fetched for a file. */
  headers?: Record<string, string>
  /** Time budget of the whole call (ms). */
  timeout?: number
  /** How files are read. Default: PDF and images; an empty list returns a PDF unchanged, in base64. */
  parsers?: ("pdf" | "image" | PdfParser | ImageParser)[]
  /** No effect: nothing is fetched for a file. */
  skipTlsVerification?: boolean
  /** Leave embedded images out of the Markdown. */
  removeBase64Images?: boolean
  /** No effect: nothing is fetched for a file. */
  blockAds?: boolean
  /** No effect: nothing is fetched for a file. */
  proxy?: "basic" | "enhanced" | "stealth" | "auto"
  /** No effect: nothing is fetched for a file. */
  fastMode?: boolean
  /** A stricter pass over the Markdown, without a language model: furniture that is left in it goes, structures stay whole. Not with zero data retention. */
  onlyCleanContent?: boolean
  /** Redact personal data in the Markdown and in what is made of it. */
  redactPII?: boolean | RedactPII
  /** Keep nothing of this call. Must be enabled for the team. */
  zeroDataRetention?: boolean
  /** Label of the caller, kept with the job. */
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
  /** The values in document order, unchanged: URLs are not made absolute. */
  attributes?: {
    selector: string
    attribute: string
    values: string[]
  }[]
  /** URL of the MP3; it expires after one hour. */
  audio?: string
  /** The blocks of text of the page in order, kept or left out. */
  textBlocks?: TextBlock[]
  /** Colours, fonts, spacing, buttons and logo, as far as the page shows them. */
  branding?: Branding
  /** Changes since the previous version. */
  changeTracking?: ChangeTracking
  /** The values, in the shape of the schema. */
  json?: unknown
  /** Where each value comes from, by its path: `offers.price`, `items[0].name`. */
  jsonEvidence?: Record<string, {
    /** What the page says there. */
    text: string
    /** How it was read: json-ld, microdata, label, table, records and so on. */
    reader: string
    /** The element in which the text stands, as a CSS selector. */
    selector?: string
    /** The property in structured data or metadata. */
    property?: string
  }>
  /** Sentences as they stand on the page, the best passage first, with blank lines between passages. */
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
  /** A short answer if one is certain, then the sentences of the page that answer, as Markdown quotes. */
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
  /** What an agent did on the page before it was read, in the words of its language model. */
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
  /** Mark the beginning of each page in the Markdown. */
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
    /** Options such as colour and size. */
    values?: Record<string, unknown>
    price?: {
      amount: number
      /** Only if the page states it. */
      currency?: string
      /** As the page writes it. */
      formatted?: string
    }
    sale?: {
      originalPrice: {
        amount: number
        /** Only if the page states it. */
        currency?: string
        /** As the page writes it. */
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
  /** Save the storage at the end. Only one call may save at a time; false only loads. */
  saveChanges?: boolean
}

export type QueryFormat = {
  type: "query"
  /** The question, or what to look for. */
  prompt: string
  /** freeform: as question, in `answer`. directQuote: as highlights, in `highlights`. */
  mode?: "freeform" | "directQuote"
}

export type QuestionFormat = {
  type: "question"
  /** The question. */
  question: string
}

export type RawBase64Format = {
  type: "rawBase64"
}

export type RawHtmlFormat = {
  type: "rawHtml"
}

export type RedactPII = {
  /** accurate: what a checksum, a shape of its own or a word beside it proves. aggressive: a shape alone is enough. fast: checksums and shapes of their own only. */
  mode?: "accurate" | "aggressive" | "fast"
  /** Kinds of personal data. Default: all. */
  entities?: ("PERSON" | "EMAIL" | "PHONE" | "LOCATION" | "FINANCIAL" | "SECRET")[]
  /** tag: the name of the kind, such as <EMAIL>. mask: a block for each character. remove: nothing. */
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
  /** Null: nothing has been saved yet. */
  savedAt: string | null
  /** A session or a scrape will save to it; it cannot be deleted meanwhile. */
  inUse: boolean
}

export type ScrapeAction = {
  type: "scrape"
}

export type ScrapeOptions = {
  /** What to return. An empty list returns metadata only. */
  formats?: Format[]
  /** Leave out headers, navigation and footers. */
  onlyMainContent?: boolean
  /** How much onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the whole element that contains it; article: only what is certainly its text. */
  mainContentMode?: "balanced" | "container" | "article"
  /** A stricter pass over the Markdown, without a language model: furniture that is left in it goes, structures stay whole. Not with zero data retention. */
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
  /** Time budget of the whole call (ms). */
  timeout?: number
  /** How files are read. Default: PDF and images; an empty list returns a PDF unchanged, in base64. */
  parsers?: ("pdf" | "image" | PdfParser | ImageParser)[]
  /** Steps on the page before it is read. */
  actions?: Action[]
  /** Country and languages to emulate. */
  location?: Location
  /** Leave embedded images out of the Markdown. */
  removeBase64Images?: boolean
  /** Block advertisements and cookie banners. */
  blockAds?: boolean
  /** How the site is reached. */
  proxy?: "basic" | "enhanced" | "stealth" | "auto"
  /** Cache the page for later calls. Default: true. */
  storeInCache?: boolean
  /** Serve from the cache only; never contact the site. */
  lockdown?: boolean
  /** Browser storage kept between calls: cookies, local storage, databases. Disables the cache. */
  profile?: Profile
  /** Never use a browser. */
  fastMode?: boolean
  /** Redact personal data in the Markdown and in what is made of it. */
  redactPII?: boolean | RedactPII
}

export type ScrapeRequest = ScrapeOptions & {
  /** URL to scrape. The default scheme is http. */
  url: string
  /** Keep nothing of this call. Must be enabled for the team. */
  zeroDataRetention?: boolean
  /** Label of the caller, kept with the job. */
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
  /** The whole page instead of its first screen. */
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
  /** The same by place in the list of results. */
  valuableResultPositions?: number[]
  missingContent?: {
    /** What was expected and not found. */
    topic: string
    description?: string
  }[]
  /** How the query should be changed. */
  querySuggestions?: string
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type SearchRequest = {
  /** What to look for. Operators: quotes, minus, OR, site:, filetype:, inurl:, allinurl:, intitle:, allintitle:, related:, imagesize:, larger:. */
  query: string
  /** Maximum number of results of each source. */
  limit?: number
  /** Which lists the response has. alexandria and exchange are not available here: they are left out. */
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
  /** A place in words: `City,Region,Country`. Best together with country. */
  location?: string
  /** ISO 639 code of a language. */
  lang?: string
  /** Time budget of the whole call (ms). */
  timeout?: number
  /** Leave out results whose URL other endpoints would reject. */
  ignoreInvalidURLs?: boolean
  /** zdr, anon: keep nothing of this call. Must be enabled for the team. */
  enterprise?: ("anon" | "zdr" | "default")[]
  /** How each result is scraped; without formats, results are not scraped. */
  scrapeOptions?: ScrapeOptions
  /** Respond before the results are scraped; scrapeIds names the jobs. */
  asyncScraping?: boolean
  /** Describe pages of the own index by the passage that answers, not by how they begin. */
  highlights?: boolean
  /** Leave out explicit results, where the provider can. */
  safe?: boolean
  /** Label of the caller, kept with the job. */
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
  /** A place in words: `City,Region,Country`. Best together with country. */
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
  /** Page to watch the browser; empty if the session is not streamed. */
  liveViewUrl: string
  /** Page to watch and control the browser. */
  interactiveLiveViewUrl: string
  streamWebView: boolean
  createdAt: string
  lastActivity: string
}

export type SessionRequest = {
  /** Maximum lifetime of the session in seconds. */
  ttl?: number
  /** Seconds without activity after which it ends. */
  activityTtl?: number
  /** Whether the session has a live view. */
  streamWebView?: boolean
  /** Storage kept after the session ends. */
  profile?: Profile
  /** Sessions are not recorded. */
  recordSession?: boolean
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

export type SummaryFormat = {
  type: "summary"
}

export type SupportAnswer = {
  requestId: string
  /** Two to four sentences: diagnosis and remedy. */
  answer: string
  confidence: "high" | "medium" | "low"
  /** The name of the cause; null where none was found. */
  cause: string | null
  /** Options that mend it, to be merged into the request. */
  fixParameters: Record<string, unknown> | null
  validation: {
    tested: boolean
    result: "success" | "failure" | "skipped"
    /** The options of each trial, what they brought, and what the trials did on the site. */
    evidence: string
  } | null
  /** Where the agent is stuck: what blocks it, and what it tried. */
  feedback: {
    blockedBy: string
    attempted: string[]
  } | null
  /** The job that was looked at. */
  jobId: string | null
  durationMs: number
}

export type SupportQuestion = {
  /** What went wrong, or what is to be known. */
  question: string
  /** What the end user wants to reach, in one or two sentences. */
  rationale?: string
  /** The job that the question is about. */
  jobId?: string
  /** Anything else that is known: the request, the error, what was tried. */
  context?: Record<string, unknown>
  /** Lets trials repeat the actions of the job and try clicks. They have effects on the site each time: a form is submitted again. Without it, a job with such actions is not repeated. */
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
  /** CSS selector of the element that it stands in. */
  selector: string
  /** Whether it is in the Markdown. */
  isKept: boolean
  /** Why it is left out; the same words as in the trace of the job. */
  reason?: "hidden on the page" | "advertisement or dialog" | "excludeTags" | "outside includeTags" | "not main content" | "onlyCleanContent"
  /** From 0 to 1: how likely it is content, by itself. What stands around a block may decide otherwise. Absent where the main content is not looked for, or the page has too little text to judge. */
  probability?: number
}

export type TraceStep = {
  step: "plan"
  /** Milliseconds since the job was started. */
  at: number
  formats: string[]
  cache: "read" | "only" | "not read"
  /** Whether the page is kept in the cache. */
  keeps: boolean
  proxy: "basic" | "enhanced" | "auto"
  /** Milliseconds. */
  timeoutMs: number
  /** Why only a browser can serve the call. */
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
  /** Sitemaps and feeds that could be read. */
  files: number
  /** Addresses that they name. */
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
  /** Where the page was found, if not where it was asked for. */
  url?: string
  contentType?: string
  /** Of a page that a browser has drawn. */
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
  /** Text that the page shows. */
  pageCharacters: number
  /** Text that was kept of it. */
  keptCharacters: number
  /** Text that was left out, by reason. */
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
  /** Name of the history; null: none was given. */
  tag: string | null
  /** Personal data was taken out; such versions are a history of their own. */
  isRedacted: boolean
  /** Versions that are kept, ten at most. */
  versions: number
  firstSeen: string
  lastSeen: string
  /** When the last version was first seen. */
  lastChange: string
  /** What the last comparison came to; null where that was not noted. */
  changeStatus: "new" | "same" | "changed" | "removed" | null
  history: PageVersion[]
}

export type TrackedPage = {
  id: string
  url: string
  /** Name of the history; null: none was given. */
  tag: string | null
  /** Personal data was taken out; such versions are a history of their own. */
  isRedacted: boolean
  /** Versions that are kept, ten at most. */
  versions: number
  firstSeen: string
  lastSeen: string
  /** When the last version was first seen. */
  lastChange: string
  /** What the last comparison came to; null where that was not noted. */
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
  /** Place in the list, from 1. */
  position: number
  /** Where words of the query stand in the text beside: first character, and the one after the last. */
  marks?: [number, number][]
  category?: "github" | "research" | "pdf"
  date?: string
  /** The values in document order, unchanged: URLs are not made absolute. */
  attributes?: {
    selector: string
    attribute: string
    values: string[]
  }[]
  /** URL of the MP3; it expires after one hour. */
  audio?: string
  /** The blocks of text of the page in order, kept or left out. */
  textBlocks?: TextBlock[]
  /** Colours, fonts, spacing, buttons and logo, as far as the page shows them. */
  branding?: Branding
  /** Changes since the previous version. */
  changeTracking?: ChangeTracking
  /** The values, in the shape of the schema. */
  json?: unknown
  /** Where each value comes from, by its path: `offers.price`, `items[0].name`. */
  jsonEvidence?: Record<string, {
    /** What the page says there. */
    text: string
    /** How it was read: json-ld, microdata, label, table, records and so on. */
    reader: string
    /** The element in which the text stands, as a CSS selector. */
    selector?: string
    /** The property in structured data or metadata. */
    property?: string
  }>
  /** Sentences as they stand on the page, the best passage first, with blank lines between passages. */
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
  /** A short answer if one is certain, then the sentences of the page that answer, as Markdown quotes. */
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
  /** Results of the actions, in order; present if there were any. */
  actions?: ActionResults
  /** What an agent did on the page before it was read, in the words of its language model. */
  task?: TaskResult
  /** Information for the caller: options without effect, limits reached. */
  warning?: string
  metadata?: ResultMetadata
}

export type Webhook = {
  url: string
  /** Headers sent with each delivery. */
  headers?: Record<string, string>
  /** Handed back in each delivery. */
  metadata?: Record<string, unknown>
  /** Events that are delivered. Default: all. */
  events?: string[]
}

export type WriteAction = {
  type: "write"
  text: string
}

/** List the agents of the team, newest first: what comes back. */
export type GetAgentResponse = {
  success: true
  agents: AgentListItem[]
  /** Where the next runs are; absent when there are none. */
  next?: string
  warning?: string
}

/** Find pages for a task and read what they state, in the background: what comes back. */
export type PostAgentResponse = {
  success: true
  /** Id of the run. */
  id: string
  /** Send it with the next run to continue. */
  threadId: string
  threadTurn: number
  warning?: string
}

/** Cancel an agent: what comes back. */
export type DeleteAgentByIdResponse = {
  success: true
  warning?: string
}

/** Read the content that an event of the trace refers to: what comes back. */
export type GetAgentSnapshotsByIdResponse = {
  success: true
  id: string
  snapshotId: string
  snapshot: string
  warning?: string
}

/** Read the runs of a thread, the oldest first: what comes back. */
export type GetAgentThreadsByIdResponse = {
  success: true
  thread: AgentThread
  warning?: string
}

/** Scrape many URLs in the background: what comes back. */
export type PostBatchScrapeResponse = {
  success: true
  /** Id of the batch. */
  id: string
  /** Where its status can be read. */
  url: string
  /** URLs that were left out. */
  invalidURLs?: string[]
  warning?: string
}

/** Cancel a batch; what it has scraped stays readable: what comes back. */
export type DeleteBatchScrapeByIdResponse = {
  success: true
  status: "cancelled"
  warning?: string
}

/** Read which URLs of a batch failed, and why: what comes back. */
export type GetBatchScrapeErrorsResponse = {
  success: true
  errors: PageError[]
  robotsBlocked: string[]
  warning?: string
}

/** Scrape the pages of a batch that failed once more, as another batch: what comes back. */
export type PostBatchScrapeRetryResponse = {
  success: true
  /** Id of the batch that scrapes them. */
  id: string
  /** Where its status can be read. */
  url: string
  /** Pages that are tried again. */
  count: number
  warning?: string
}

/** List the browser sessions of the team, newest first: what comes back. */
export type GetBrowserResponse = {
  success: true
  /** Newest first; the last thousand. */
  sessions: Session[]
  warning?: string
}

/** Open a browser of your own, to be driven by code, by DevTools or by hand: what comes back. */
export type PostBrowserResponse = {
  success: true
  id: string
  /** WebSocket of the DevTools protocol, for Playwright and Puppeteer. */
  cdpUrl: string
  /** Page to watch the browser; empty if the session is not streamed. */
  liveViewUrl: string
  /** Page to watch and control the browser. */
  interactiveLiveViewUrl: string
  expiresAt: string
  warning?: string
}

/** End a browser session; answers what it cost, however often it is asked: what comes back. */
export type DeleteBrowserByIdResponse = {
  success: true
  status: "active" | "destroyed" | "error"
  sessionDurationMs: number
  creditsBilled: number
  warning?: string
}

/** Read how a browser session stands: what comes back. */
export type GetBrowserByIdResponse = {
  success: true
  id: string
  status: "active" | "destroyed" | "error"
  /** WebSocket of the DevTools protocol, for Playwright and Puppeteer. */
  cdpUrl: string
  /** Page to watch the browser; empty if the session is not streamed. */
  liveViewUrl: string
  /** Page to watch and control the browser. */
  interactiveLiveViewUrl: string
  streamWebView: boolean
  createdAt: string
  lastActivity: string
  expiresAt: string
  /** Duration of the session. */
  sessionDurationMs?: number
  /** Its cost, after it has ended. */
  creditsBilled?: number
  /** Why it ended, if it did not end normally. */
  error?: string
  warning?: string
}

/** Run code in a browser session; if the code fails, `error` says why: what comes back. */
export type PostBrowserExecuteResponse = {
  success: true
  stdout: string | null
  /** The value of the last expression; for a prompt, the page at the end. */
  result: string | null
  stderr: string | null
  /** 0 means success. */
  exitCode: number | null
  /** The run was ended because it reached its timeout. */
  killed: boolean
  /** What went wrong. */
  error?: string
  /** The output was truncated. */
  truncated?: boolean
  warning?: string
}

/** Read the recording of a session; there is none here: what comes back. */
export type GetBrowserReplayResponse = {
  success: true
  warning?: string
}

/** List the profiles of the team by name, the first thousand: what comes back. */
export type GetBrowserProfilesResponse = {
  success: true
  profiles: SavedProfile[]
  warning?: string
}

/** Forget what a profile has saved; also where nothing was: what comes back. */
export type DeleteBrowserProfilesByIdResponse = {
  success: true
  warning?: string
}

/** What works on this installation, and why the rest does not: what comes back. */
export type GetCapabilitiesResponse = {
  success: true
  version: string
  features: {
    name: string
    available: boolean
    /** What it does, or why it does not work here. */
    note: string
    /** What an operator can do to have it. */
    enable?: string
  }[]
  warning?: string
}

/** Slots of the team that are taken, and how many it has: what comes back. */
export type GetConcurrencyCheckResponse = {
  success: true
  concurrency: number
  maxConcurrency: number
  warning?: string
}

/** Change the code of the link that the start prints into the key of this machine, once: what is sent. */
export type PostConsoleKeyRequest = {
  /** What follows `#code=` in the link. */
  code: string
}

/** Change the code of the link that the start prints into the key of this machine, once: what comes back. */
export type PostConsoleKeyResponse = {
  success: true
  /** The key of the file api-key in DATA_DIR. */
  key: string
  warning?: string
}

/** Scrape the pages of a site in the background: what comes back. */
export type PostCrawlResponse = {
  success: true
  /** Id of the crawl. */
  id: string
  /** Where its status can be read. */
  url: string
  /** What the prompt came to. */
  promptGeneratedOptions?: CrawlPreview
  /** The options of the crawl; present with a prompt. */
  finalCrawlerOptions?: Record<string, unknown>
  warning?: string
}

/** Cancel a crawl; what it has scraped stays readable: what comes back. */
export type DeleteCrawlByIdResponse = {
  success: true
  status: "cancelled"
  warning?: string
}

/** Read which pages of a crawl failed or were skipped, and why: what comes back. */
export type GetCrawlErrorsResponse = {
  success: true
  /** Pages that failed, as many as summary.failed says, and home pages of other sites (EXTERNAL_LINK), which are skipped. */
  errors: PageError[]
  /** Pages that robots.txt forbids. */
  robotsBlocked: string[]
  /** Addresses that were not scraped; the first thousand. */
  skipped: {
    url: string
    reason: string
  }[]
  /** How every address that the crawl has met stands: once, in one of these. */
  summary: {
    completed: number
    failed: number
    cancelled: number
    living: number
    waiting: number
    /** By reason. */
    skipped: Record<string, number>
  }
  warning?: string
}

/** Scrape the pages of a crawl that failed once more, as a batch: what comes back. */
export type PostCrawlRetryResponse = {
  success: true
  /** Id of the batch that scrapes them. */
  id: string
  /** Where its status can be read. */
  url: string
  /** Pages that are tried again. */
  count: number
  warning?: string
}

/** List the crawls of the team that are under way: what comes back. */
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

/** List the crawls of the team that are under way, under the older name: what comes back. */
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

/** Turn a prompt into options for a crawl: what is sent. */
export type PostCrawlParamsPreviewRequest = {
  /** Where the crawl would start. */
  url: string
  /** What to crawl, in plain language. */
  prompt: string
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

/** Turn a prompt into options for a crawl: what comes back. */
export type PostCrawlParamsPreviewResponse = {
  success: true
  data: CrawlPreview
  warning?: string
}

/** Read values from several pages or a whole site, in the background: what comes back. */
export type PostExtractResponse = {
  success: true
  /** Id of the extract. */
  id: string
  /** Empty here; the status has it, if it was asked for. */
  urlTrace: unknown[]
  /** URLs that were left out. */
  invalidURLs?: string[]
  warning?: string
}

/** Cancel an extract: what comes back. */
export type DeleteExtractByIdResponse = {
  success: true
  status: "cancelled"
  warning?: string
}

/** List the feedback of the team, newest first: what comes back. */
export type GetFeedbackResponse = {
  success: true
  data: Feedback[]
  cursor: string | null
  has_more: boolean
  warning?: string
}

/** Say how useful the result of a job was: what comes back. */
export type PostFeedbackResponse = {
  success: true
  feedbackId: string
  /** Credits that this call gave back: 1 for the first feedback on a search. */
  creditsRefunded: number
  /** True: there was feedback on this job, and it stays. */
  alreadySubmitted?: boolean
  /** True: nothing more is given back today. */
  dailyCapReached?: boolean
  creditsRefundedToday?: number
  /** TEAM_DAILY_REFUNDS. */
  dailyRefundCap?: number
  warning?: string
}

/** List the browser sessions of the team, newest first (also /v2/browser): what comes back. */
export type GetInteractResponse = {
  success: true
  /** Newest first; the last thousand. */
  sessions: Session[]
  warning?: string
}

/** Open a browser of your own, to be driven by code, by DevTools or by hand (also /v2/browser): what comes back. */
export type PostInteractResponse = {
  success: true
  id: string
  /** WebSocket of the DevTools protocol, for Playwright and Puppeteer. */
  cdpUrl: string
  /** Page to watch the browser; empty if the session is not streamed. */
  liveViewUrl: string
  /** Page to watch and control the browser. */
  interactiveLiveViewUrl: string
  expiresAt: string
  warning?: string
}

/** End a browser session; answers what it cost, however often it is asked (also /v2/browser): what comes back. */
export type DeleteInteractByIdResponse = {
  success: true
  status: "active" | "destroyed" | "error"
  sessionDurationMs: number
  creditsBilled: number
  warning?: string
}

/** Read how a browser session stands (also /v2/browser): what comes back. */
export type GetInteractByIdResponse = {
  success: true
  id: string
  status: "active" | "destroyed" | "error"
  /** WebSocket of the DevTools protocol, for Playwright and Puppeteer. */
  cdpUrl: string
  /** Page to watch the browser; empty if the session is not streamed. */
  liveViewUrl: string
  /** Page to watch and control the browser. */
  interactiveLiveViewUrl: string
  streamWebView: boolean
  createdAt: string
  lastActivity: string
  expiresAt: string
  /** Duration of the session. */
  sessionDurationMs?: number
  /** Its cost, after it has ended. */
  creditsBilled?: number
  /** Why it ended, if it did not end normally. */
  error?: string
  warning?: string
}

/** Run code in a browser session; if the code fails, `error` says why (also /v2/browser): what comes back. */
export type PostInteractExecuteResponse = {
  success: true
  stdout: string | null
  /** The value of the last expression; for a prompt, the page at the end. */
  result: string | null
  stderr: string | null
  /** 0 means success. */
  exitCode: number | null
  /** The run was ended because it reached its timeout. */
  killed: boolean
  /** What went wrong. */
  error?: string
  /** The output was truncated. */
  truncated?: boolean
  warning?: string
}

/** Read the recording of a session; there is none here (also /v2/browser): what comes back. */
export type GetInteractReplayResponse = {
  success: true
  warning?: string
}

/** List the profiles of the team by name, the first thousand (also /v2/browser): what comes back. */
export type GetInteractProfilesResponse = {
  success: true
  profiles: SavedProfile[]
  warning?: string
}

/** Forget what a profile has saved; also where nothing was (also /v2/browser): what comes back. */
export type DeleteInteractProfilesByIdResponse = {
  success: true
  warning?: string
}

/** Read what happened on the way of a job: plan, attempts, waits, sizes, warnings, deliveries: what comes back. */
export type GetJobsTraceResponse = {
  success: true
  data: JobTrace
  warning?: string
}

/** List the pages of a site: what comes back. */
export type PostMapResponse = {
  success: true
  /** Id of this job. */
  id: string
  links: MapLink[]
  /** Number of pages by the source in which they were found. */
  sources: Record<string, number>
  /** Number of URLs that were left out, by reason. */
  leftOut: Record<string, number>
  warning?: string
}

/** List keys by their first characters, oldest first, including revoked ones: what comes back. */
export type GetOperatorKeysResponse = {
  success: true
  data: OperatorKey[]
  cursor: string | null
  has_more: boolean
  warning?: string
}

/** Make a key; it is shown in this answer and never again: what is sent. */
export type PostOperatorKeysRequest = {
  /** The team that the key belongs to. */
  teamId: string
  /** The key may also call /v2/operator. */
  operator?: boolean
}

/** Make a key; it is shown in this answer and never again: what comes back. */
export type PostOperatorKeysResponse = {
  success: true
  data: OperatorKey
  /** The key itself. Only its hash is stored. */
  key: string
  warning?: string
}

/** Revoke a key; it stops working within a second: what comes back. */
export type DeleteOperatorKeysByIdResponse = {
  success: true
  warning?: string
}

/** What runs and waits on the installation, and whether it is well: what comes back. */
export type GetOperatorOverviewResponse = {
  success: true
  data: {
    version: string
    /** Of the process that answers. */
    uptimeSeconds: number
    /** Of all teams. */
    queue: {
      /** Jobs by kind; kinds without any are left out. */
      queued: Record<string, number>
      /** Jobs by kind; kinds without any are left out. */
      running: Record<string, number>
      /** Jobs by kind; kinds without any are left out. */
      held: Record<string, number>
    }
    /** Slots of all teams that are taken now. */
    slotsTaken: number
    storage: {
      /** Size of the database; null: not known. */
      databaseBytes: number | null
      /** Size of stored pages, results and files, to ten minutes; null: not known (yet), as with a bucket. */
      blobBytes: number | null
      /** Left on the disk of DATA_DIR; null: not known. */
      freeBytes: number | null
    }
    health: {
      isReady: boolean
      /** `ok`, or the reason why a part does not work. */
      parts: Record<string, string>
      /** Seconds since a part was last used, if not just now. */
      ages: Record<string, number>
      /** Problems that do not keep the service from working: `clock`, `search`. */
      warnings: Record<string, string>
    }
    /** The 20 teams with most running jobs. */
    teams: {
      id: string
      name: string
      running: number
      concurrency: number
    }[]
  }
  warning?: string
}

/** List the teams of the installation, oldest first: what comes back. */
export type GetOperatorTeamsResponse = {
  success: true
  data: OperatorTeam[]
  cursor: string | null
  has_more: boolean
  warning?: string
}

/** Make a team; it has no key yet: what is sent. */
export type PostOperatorTeamsRequest = {
  /** No other team has it. */
  name: string
  /** The first credits. If not set: TEAM_CREDITS. */
  credits?: number
  /** True: no limit, whatever TEAM_CREDITS says. */
  unlimited?: boolean
  /** Jobs of the team that may run at once; null: TEAM_CONCURRENCY. */
  concurrency?: number | null
  /** Whether calls may ask for zero data retention. */
  zeroDataRetention?: boolean
  /** Whether stored pages of the team are indexed, so that its searches find them. False also removes the pages that are indexed already. */
  searchIndex?: boolean
}

/** Make a team; it has no key yet: what comes back. */
export type PostOperatorTeamsResponse = {
  success: true
  data: OperatorTeam
  warning?: string
}

/** Delete a team: end its keys, jobs and browsers at once, and remove all it has within half an hour: what comes back. */
export type DeleteOperatorTeamsByIdResponse = {
  success: true
  warning?: string
}

/** Change what a team has and may do: all that is named, or nothing: what is sent. */
export type PostOperatorTeamsByIdRequest = {
  /** Credits to add. A team without a limit has one from then on. */
  credits?: number
  /** True: the team has no limit. False: it has one, and no credits but those that are granted. */
  unlimited?: boolean
  /** Jobs of the team that may run at once; null: TEAM_CONCURRENCY. */
  concurrency?: number | null
  /** Whether calls may ask for zero data retention. */
  zeroDataRetention?: boolean
  /** Whether stored pages of the team are indexed, so that its searches find them. False also removes the pages that are indexed already. */
  searchIndex?: boolean
  /** `new` makes the secret that webhooks are signed with; `off` ends signing. */
  webhookSecret?: "new" | "off"
}

/** Change what a team has and may do: all that is named, or nothing: what comes back. */
export type PostOperatorTeamsByIdResponse = {
  success: true
  data: OperatorTeam
  /** Only after `webhookSecret: new`, and only in this answer: receivers check signatures by it. */
  webhookSecret?: string
  warning?: string
}

/** Convert one file and return it in the requested formats: what is sent. */
export type PostParseRequest = {
  /** The file. */
  file: string
  /** The options, as the text of a JSON object. */
  options?: ParseOptions
}

/** Convert one file and return it in the requested formats: what comes back. */
export type PostParseResponse = {
  success: true
  data: ParsedDocument
  warning?: string
}

/** Read the result of an earlier parse again: what comes back. */
export type GetParseByIdResponse = {
  success: true
  data: ParsedDocument
  warning?: string
}

/** Fetch one URL and return it in the requested formats: what comes back. */
export type PostScrapeResponse = {
  success: true
  data: Document
  warning?: string
}

/** Read the result of an earlier scrape again: what comes back. */
export type GetScrapeByIdResponse = {
  success: true
  data: Document
  warning?: string
}

/** End the browser of a scrape; answers what it cost, however often it is asked: what comes back. */
export type DeleteScrapeInteractResponse = {
  success: true
  status: "active" | "destroyed" | "error"
  sessionDurationMs: number
  creditsBilled: number
  warning?: string
}

/** Run code or a prompt in a browser on the page of an earlier scrape: what is sent. */
export type PostScrapeInteractRequest = {
  /** Code that runs with `page`, `context` and `browser`. */
  code?: string
  /** A task in plain language, for which a language model must be configured. */
  prompt?: string
  /** Language of the code; `bash` has the command agent-browser. */
  language?: "python" | "node" | "bash"
  /** Seconds. Code has 30 when it is not given, a prompt 240. */
  timeout?: number
  /** Maximum lifetime of the session in seconds. */
  ttl?: number
  /** Seconds without activity after which it ends. */
  activityTtl?: number
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

/** Search the web and the own pages: what comes back. */
export type PostSearchResponse = {
  success: true
  data: SearchData
  /** Id of this job. */
  id: string
  /** Of the search and of the scrapes that have ended. */
  creditsUsed: number
  /** With asyncScraping: the scrape of each result, in order; GET /v2/scrape/{id} returns it. */
  scrapeIds?: {
    web?: string[]
    news?: string[]
  }
  warning?: string
}

/** Say how useful the results of a search were; the first time gives a credit back: what comes back. */
export type PostSearchFeedbackResponse = {
  success: true
  feedbackId: string
  /** Credits that this call gave back: 1 for the first feedback on a search. */
  creditsRefunded: number
  /** True: there was feedback on this job, and it stays. */
  alreadySubmitted?: boolean
  /** True: nothing more is given back today. */
  dailyCapReached?: boolean
  creditsRefundedToday?: number
  /** TEAM_DAILY_REFUNDS. */
  dailyRefundCap?: number
  warning?: string
}

/** Find issues, pull requests, repositories and own pages about code: what comes back. */
export type GetSearchDeveloperResponse = {
  success: true
  results: DeveloperSearchResult[]
  /** skipped: not asked for; unavailable: it could not be searched, see warning. */
  coverage: {
    doc: "ok" | "skipped" | "unavailable"
    issue: "ok" | "skipped" | "unavailable"
    pull_request: "ok" | "skipped" | "unavailable"
    readme: "ok" | "skipped" | "unavailable"
  }
  reranked: boolean
  repos?: {
    repo: string
    /** Whether there are results of it. */
    indexed: boolean
    types: {
      issue: boolean
      pullRequest: boolean
      readme: boolean
    }
  }[]
  sources?: {
    source: string
    /** Whether pages of it are among the own ones. */
    indexed: boolean
  }[]
  warning?: string
}

/** Find issues, pull requests, repositories and own pages about code: what comes back. */
export type PostSearchDeveloperResponse = {
  success: true
  results: DeveloperSearchResult[]
  /** skipped: not asked for; unavailable: it could not be searched, see warning. */
  coverage: {
    doc: "ok" | "skipped" | "unavailable"
    issue: "ok" | "skipped" | "unavailable"
    pull_request: "ok" | "skipped" | "unavailable"
    readme: "ok" | "skipped" | "unavailable"
  }
  reranked: boolean
  repos?: {
    repo: string
    /** Whether there are results of it. */
    indexed: boolean
    types: {
      issue: boolean
      pullRequest: boolean
      readme: boolean
    }
  }[]
  sources?: {
    source: string
    /** Whether pages of it are among the own ones. */
    indexed: boolean
  }[]
  warning?: string
}

/** Find issues and repositories of GitHub: what comes back. */
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
  /** The endpoint that finds more of it. */
  replacement: string
  warning?: string
}

/** Find papers in open catalogues: what comes back. */
export type GetSearchResearchPapersResponse = {
  success: true
  results: PaperResult[]
  warning?: string
}

/** What open catalogues know of a paper, or its passages that answer a query: what comes back. */
export type GetSearchResearchPapersByIdResponse = {
  success: true
  paper: Paper
  /** With query. */
  paperId?: string
  query?: string
  passages?: {
    text: string
    score: number
  }[]
  warning?: string
}

/** Papers that are related to others by citations: what comes back. */
export type GetSearchResearchPapersSimilarResponse = {
  success: true
  results: PaperResult[]
  /** Related papers that were found. */
  poolSize: number
  truncated: boolean
  note: string | null
  warning?: string
}

/** Answer a question about this service from its documentation: what comes back. */
export type PostSupportDocsSearchResponse = {
  success: true
  requestId: string
  /** Sentences of the documentation that answer, each with its place; by a language model, if there is one. */
  answer: string
  /** Sections that answer, the best first; empty if the documentation says nothing about it. */
  evidence: {
    /** A file of the repository and the place in it: docs/search.md#the-query. */
    pathOrUrl: string
    /** What the section is, and what it has of the question. */
    reason: string
  }[]
  /** Tokens of the language model; zeros without one. */
  usage: {
    inputTokens: number
    outputTokens: number
    totalTokens: number
  }
  durationMs: number
  warning?: string
}

/** Calls of the team in the last 24 hours, newest first: what comes back. */
export type GetTeamActivityResponse = {
  success: true
  data: {
    id: string
    endpoint: string
    api_version: string
    created_at: string
    target: string | null
    state: "queued" | "running" | "completed" | "failed" | "cancelled"
    /** The error code of a call that failed. */
    code?: string
  }[]
  cursor: string | null
  has_more: boolean
  warning?: string
}

/** Credits the team has left: what comes back. */
export type GetTeamCreditUsageResponse = {
  success: true
  data: {
    remainingCredits: number
    planCredits: number
    /** True: nothing is deducted, and the numbers are only large. */
    unlimited: boolean
    billingPeriodStart: string | null
    billingPeriodEnd: string | null
  }
  warning?: string
}

/** Credits used per period, oldest first: what comes back. */
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

/** The team and the key of this call: what comes back. */
export type GetTeamMeResponse = {
  success: true
  data: {
    team: {
      id: string
      name: string
      /** Jobs of the team that may run at once. */
      concurrency: number
      /** Calls may ask for zero data retention. */
      zeroDataRetention: boolean
      /** Stored pages of the team are indexed, so that its searches find them. */
      searchIndex: boolean
    }
    /** The first characters of the key; null: AUTH=off. */
    keyHint: string | null
    /** This call could also use /v2/operator. */
    isOperator: boolean
  }
  warning?: string
}

/** Jobs of the team that run and wait: what comes back. */
export type GetTeamQueueStatusResponse = {
  success: true
  jobsInQueue: number
  activeJobsInQueue: number
  waitingJobsInQueue: number
  maxConcurrency: number
  mostRecentSuccess: string | null
  warning?: string
}

/** The same in tokens; a credit is fifteen tokens: what comes back. */
export type GetTeamTokenUsageResponse = {
  success: true
  data: {
    remainingTokens: number
    planTokens: number
    /** True: nothing is deducted, and the numbers are only large. */
    unlimited: boolean
    billingPeriodStart: string | null
    billingPeriodEnd: string | null
    /** What the calls of the team used of the language model. It is counted apart from credits. */
    modelTokens: {
      /** Input and output of today (UTC). */
      today: number
      /** The most per day (MODEL_TOKENS_PER_TEAM_PER_DAY); null: no limit. */
      todayLimit: number | null
      /** In this billing period, as the model counts. */
      inputTokens: number
      outputTokens: number
      /** Requests to the model in this billing period. */
      calls: number
    }
  }
  warning?: string
}

/** Tokens used per period, oldest first: what comes back. */
export type GetTeamTokenUsageHistoricalResponse = {
  success: true
  periods: {
    startDate: string
    endDate: string
    apiKey?: string
    tokensUsed: number
    totalTokens: number
  }[]
  /** Tokens of the language model per period, input and output, of all keys. */
  modelPeriods: {
    startDate: string
    endDate: string
    tokens: number
  }[]
  warning?: string
}

/** List the pages that the team tracks by changeTracking, those seen last first: what comes back. */
export type GetTeamTrackedPagesResponse = {
  success: true
  data: TrackedPage[]
  cursor: string | null
  has_more: boolean
  warning?: string
}

/** Read a tracked page and its versions, the newest first: what comes back. */
export type GetTeamTrackedPagesByIdResponse = {
  success: true
  data: TrackedHistory
  warning?: string
}

/** Read what is different between two versions of a tracked page: what comes back. */
export type GetTeamTrackedPagesDiffResponse = {
  success: true
  data: {
    from: PageVersion
    to: PageVersion
    /** They differ in white space at most. */
    isSame: boolean
    /** Unified diff of the Markdown; absent where they are the same. */
    diff?: string
    /** The same in parts. */
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
            /** Number of the line, from 1. */
            ln?: number
            /** Number of the line, from 1. */
            ln1?: number
            /** Number of the line, from 1. */
            ln2?: number
            content: string
          }[]
        }[]
      }[]
    }
  }
  warning?: string
}

/** Credits and calls of the team on each of the last days, oldest first: what comes back. */
export type GetTeamUsageResponse = {
  success: true
  data: {
    /** The day, in UTC. */
    date: string
    /** Credits that were charged, less those that were given back. */
    credits: number
    /** The same by kind of job; what was given back has a kind of its own. */
    creditsByKind: Record<string, number>
    calls: number
    /** Calls that came on this day, by the state that they are in. */
    callsByState: Record<string, number>
  }[]
  warning?: string
}

/** List what was sent to webhooks, newest first: what comes back. */
export type GetWebhooksDeliveriesResponse = {
  success: true
  data: Delivery[]
  cursor: string | null
  has_more: boolean
  warning?: string
}

/** Read a delivery with its address and what is sent there: what comes back. */
export type GetWebhooksDeliveriesByIdResponse = {
  success: true
  data: DeliveryDetails
  warning?: string
}

/** Send an event once more, under the id it had: what comes back. */
export type PostWebhooksDeliveriesReplayResponse = {
  success: true
  data: Delivery
  warning?: string
}

/** Send an event of no job, to see whether a receiver works: what is sent. */
export type PostWebhooksTestRequest = {
  /** As in a crawl or a batch. */
  webhook: string | Webhook
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

/** Send an event of no job, to see whether a receiver works: what comes back. */
export type PostWebhooksTestResponse = {
  success: true
  /** Look for it among the deliveries. */
  webhookId: string
  warning?: string
}
