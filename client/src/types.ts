// Generated from docs/openapi.json by `npm run generate`.

/** Scrape many URLs in the background: what is sent. */
export type PostBatchScrapeRequest = {
  /** URLs to scrape. */
  urls: (string)[]
  /** Leave invalid URLs out instead of refusing the call. */
  ignoreInvalidURLs?: boolean
  /** What to return. An empty list returns metadata only. */
  formats?: ("html" | "images" | "links" | "markdown" | "rawHtml" | {
    type: "html"
  } | {
    type: "images"
  } | {
    type: "links"
  } | {
    type: "markdown"
  } | {
    type: "rawHtml"
  })[]
  /** Leave out headers, navigation and footers. */
  onlyMainContent?: boolean
  /** One more pass by a language model over the Markdown. */
  onlyCleanContent?: boolean
  /** CSS selectors: keep only what they match. */
  includeTags?: (string)[]
  /** CSS selectors: leave out what they match. */
  excludeTags?: (string)[]
  /** A kept page younger than this (ms) is used. Default: two days; 0 always fetches. */
  maxAge?: number
  /** Use a kept page at least this old (ms), and never fetch. */
  minAge?: number
  /** Headers sent to the site. Switches the cache off. */
  headers?: Record<string, string>
  /** Further wait (ms) before content is taken. */
  waitFor?: number
  /** Emulate a mobile device. */
  mobile?: boolean
  /** Accept invalid certificates. */
  skipTlsVerification?: boolean
  /** Time budget of the whole call (ms). */
  timeout?: number
  /** How files are read. */
  parsers?: ("pdf" | "image" | {
    type: "pdf" | "image"
    [name: string]: unknown
  })[]
  /** Steps on the page before content is taken. */
  actions?: ({
    type: string
    [name: string]: unknown
  })[]
  /** Country and languages to emulate. */
  location?: {
    country?: string
    languages?: (string)[]
  }
  /** Leave embedded images out of the Markdown. */
  removeBase64Images?: boolean
  /** Block advertisements and cookie banners. */
  blockAds?: boolean
  /** How the site is reached. */
  proxy?: "basic" | "enhanced" | "stealth" | "auto"
  /** Keep the page for later calls. Default: true. */
  storeInCache?: boolean
  /** Serve from the cache only; never contact the site. */
  lockdown?: boolean
  /** Persistent browser storage. */
  profile?: {
    name: string
    saveChanges?: boolean
  }
  /** Never use a browser. */
  fastMode?: boolean
  /** Redact personal data in the Markdown. */
  redactPII?: boolean | Record<string, unknown>
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

/** Scrape many URLs in the background: what comes back. */
export type PostBatchScrapeResponse = {
  success: true
  /** Id of the batch. */
  id: string
  /** Where its status can be read. */
  url: string
  /** URLs that were left out. */
  invalidURLs?: (string)[]
  warning?: string
}

/** Cancel a batch; what it has scraped stays readable: what comes back. */
export type DeleteBatchScrapeByIdResponse = {
  success: true
  status: "cancelled"
  warning?: string
}

/** Read the progress and the documents of a batch: what comes back. */
export type GetBatchScrapeByIdResponse = {
  success: true
  status: "scraping" | "completed" | "failed" | "cancelled"
  /** URLs that have not failed. */
  total: number
  completed: number
  creditsUsed: number
  expiresAt: string
  createdAt: string
  completedAt?: string
  /** Where the next documents are; absent when there are none now. */
  next?: string
  data: ({
    /** Cleaned HTML. */
    html?: string
    /** Absolute addresses of the images. */
    images?: (string)[]
    /** Absolute addresses the page links to. */
    links?: (string)[]
    /** The page as Markdown. */
    markdown?: string
    /** The page as it was received. */
    rawHtml?: string
    metadata: {
      title?: string
      description?: string
      language?: string
      keywords?: string
      ogLocaleAlternate?: (string)[]
      /** URL as requested. */
      sourceURL: string
      /** URL after redirects. */
      url: string
      /** HTTP status the site answered with. */
      statusCode: number
      contentType?: string
      /** Present when the site answered with an error status. */
      error?: string
      /** Id of this job. */
      scrapeId: string
      proxyUsed: "basic" | "stealth"
      /** Absent when the cache was not consulted. */
      cacheState?: "hit" | "miss"
      cachedAt?: string
      creditsUsed: number
      concurrencyLimited: boolean
      concurrencyQueueDurationMs?: number
      [name: string]: unknown
    }
    /** What the caller should know: options without effect, limits met. */
    warning?: string
  })[]
  warning?: string
}

/** Read which URLs of a batch failed, and why: what comes back. */
export type GetBatchScrapeErrorsResponse = {
  success: true
  errors: ({
    id: string
    timestamp: string
    url: string
    code: string
    error: string
  })[]
  robotsBlocked: (string)[]
  warning?: string
}

/** What works on this installation, and why the rest does not: what comes back. */
export type GetCapabilitiesResponse = {
  success: true
  version: string
  features: ({
    name: string
    available: boolean
    /** What it does, or why it does not work here. */
    note: string
    /** What an operator can do to have it. */
    enable?: string
  })[]
  warning?: string
}

/** Slots of the team that are taken, and how many it has: what comes back. */
export type GetConcurrencyCheckResponse = {
  success: true
  concurrency: number
  maxConcurrency: number
  warning?: string
}

/** Fetch one URL and return it in the requested formats: what is sent. */
export type PostScrapeRequest = {
  /** URL to scrape. Without a scheme, http is meant. */
  url: string
  /** What to return. An empty list returns metadata only. */
  formats?: ("html" | "images" | "links" | "markdown" | "rawHtml" | {
    type: "html"
  } | {
    type: "images"
  } | {
    type: "links"
  } | {
    type: "markdown"
  } | {
    type: "rawHtml"
  })[]
  /** Leave out headers, navigation and footers. */
  onlyMainContent?: boolean
  /** One more pass by a language model over the Markdown. */
  onlyCleanContent?: boolean
  /** CSS selectors: keep only what they match. */
  includeTags?: (string)[]
  /** CSS selectors: leave out what they match. */
  excludeTags?: (string)[]
  /** A kept page younger than this (ms) is used. Default: two days; 0 always fetches. */
  maxAge?: number
  /** Use a kept page at least this old (ms), and never fetch. */
  minAge?: number
  /** Headers sent to the site. Switches the cache off. */
  headers?: Record<string, string>
  /** Further wait (ms) before content is taken. */
  waitFor?: number
  /** Emulate a mobile device. */
  mobile?: boolean
  /** Accept invalid certificates. */
  skipTlsVerification?: boolean
  /** Time budget of the whole call (ms). */
  timeout?: number
  /** How files are read. */
  parsers?: ("pdf" | "image" | {
    type: "pdf" | "image"
    [name: string]: unknown
  })[]
  /** Steps on the page before content is taken. */
  actions?: ({
    type: string
    [name: string]: unknown
  })[]
  /** Country and languages to emulate. */
  location?: {
    country?: string
    languages?: (string)[]
  }
  /** Leave embedded images out of the Markdown. */
  removeBase64Images?: boolean
  /** Block advertisements and cookie banners. */
  blockAds?: boolean
  /** How the site is reached. */
  proxy?: "basic" | "enhanced" | "stealth" | "auto"
  /** Keep the page for later calls. Default: true. */
  storeInCache?: boolean
  /** Serve from the cache only; never contact the site. */
  lockdown?: boolean
  /** Persistent browser storage. */
  profile?: {
    name: string
    saveChanges?: boolean
  }
  /** Never use a browser. */
  fastMode?: boolean
  /** Redact personal data in the Markdown. */
  redactPII?: boolean | Record<string, unknown>
  /** Keep nothing of this call. Must be enabled for the team. */
  zeroDataRetention?: boolean
  /** Label of the caller, kept with the job. */
  origin?: string
  /** Label of the integration. */
  integration?: string | null
}

/** Fetch one URL and return it in the requested formats: what comes back. */
export type PostScrapeResponse = {
  success: true
  data: {
    /** Cleaned HTML. */
    html?: string
    /** Absolute addresses of the images. */
    images?: (string)[]
    /** Absolute addresses the page links to. */
    links?: (string)[]
    /** The page as Markdown. */
    markdown?: string
    /** The page as it was received. */
    rawHtml?: string
    metadata: {
      title?: string
      description?: string
      language?: string
      keywords?: string
      ogLocaleAlternate?: (string)[]
      /** URL as requested. */
      sourceURL: string
      /** URL after redirects. */
      url: string
      /** HTTP status the site answered with. */
      statusCode: number
      contentType?: string
      /** Present when the site answered with an error status. */
      error?: string
      /** Id of this job. */
      scrapeId: string
      proxyUsed: "basic" | "stealth"
      /** Absent when the cache was not consulted. */
      cacheState?: "hit" | "miss"
      cachedAt?: string
      creditsUsed: number
      concurrencyLimited: boolean
      concurrencyQueueDurationMs?: number
      [name: string]: unknown
    }
    /** What the caller should know: options without effect, limits met. */
    warning?: string
  }
  warning?: string
}

/** Read the result of an earlier scrape again: what comes back. */
export type GetScrapeByIdResponse = {
  success: true
  data: {
    /** Cleaned HTML. */
    html?: string
    /** Absolute addresses of the images. */
    images?: (string)[]
    /** Absolute addresses the page links to. */
    links?: (string)[]
    /** The page as Markdown. */
    markdown?: string
    /** The page as it was received. */
    rawHtml?: string
    metadata: {
      title?: string
      description?: string
      language?: string
      keywords?: string
      ogLocaleAlternate?: (string)[]
      /** URL as requested. */
      sourceURL: string
      /** URL after redirects. */
      url: string
      /** HTTP status the site answered with. */
      statusCode: number
      contentType?: string
      /** Present when the site answered with an error status. */
      error?: string
      /** Id of this job. */
      scrapeId: string
      proxyUsed: "basic" | "stealth"
      /** Absent when the cache was not consulted. */
      cacheState?: "hit" | "miss"
      cachedAt?: string
      creditsUsed: number
      concurrencyLimited: boolean
      concurrencyQueueDurationMs?: number
      [name: string]: unknown
    }
    /** What the caller should know: options without effect, limits met. */
    warning?: string
  }
  warning?: string
}

/** Calls of the team in the last 24 hours, newest first: what comes back. */
export type GetTeamActivityResponse = {
  success: true
  data: ({
    id: string
    endpoint: string
    api_version: string
    created_at: string
    target: string | null
  })[]
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
  periods: ({
    startDate: string
    endDate: string
    apiKey?: string
    creditsUsed: number
    totalCredits: number
  })[]
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
  }
  warning?: string
}

/** Tokens used per period, oldest first: what comes back. */
export type GetTeamTokenUsageHistoricalResponse = {
  success: true
  periods: ({
    startDate: string
    endDate: string
    apiKey?: string
    tokensUsed: number
    totalTokens: number
  })[]
  warning?: string
}
