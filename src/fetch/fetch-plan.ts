import type { StorageState } from '../browser/profile/profile-state.ts'
import type { ContentOptions } from '../content/content.ts'
import type { CapturePlan } from '../content/page.ts'
import type { PartRequests } from '../extraction/page-parts/parts.ts'
import type { MemoryPermit } from '../extraction/workers/memory-permits.ts'
import type { Trace } from '../platform/trace/trace.ts'
import type { ActionRequest } from './actions/index.ts'

/** Input of an engine, as plain data. */
export interface FetchPlan {
  teamId: string
  /** Id of the job whose pages may share connections: a crawl or batch, or the scrape itself. */
  jobId: string
  /** True if no caller waits for the response. Foreground fetches have priority. */
  isBackground: boolean
  url: URL
  /** Headers of the caller, with names in lower case. */
  headers: Record<string, string>
  /** Headers of the emulated browser: user agent, accepted types, languages. */
  ownHeaders: Record<string, string>
  verifyTls: boolean
  maxBytes: PageBounds
  /** Reason why only a browser can serve the plan; undefined if plain HTTP may be enough. */
  browserReason: string | undefined
  /** False if the caller forbids a browser. */
  mayUseBrowser: boolean
  proxy: 'basic' | 'enhanced' | 'auto'
  isMobile: boolean
  country: string | undefined
  languages: string[]
  blocksAds: boolean
  /** Additional wait after the page has settled (ms). */
  waitFor: number
  actions: ActionRequest[]
  /** Task in natural language that a language model carries out on the open page before it is read. */
  task: string | undefined
  captures: CapturePlan
  /** Browser storage to start with. `isSaved` is true if the storage is returned after the fetch. */
  profile: { state: StorageState | undefined; isSaved: boolean } | undefined
  /** Content options and requested parts. They are known before the fetch, so that the page is read only once. */
  content: ContentOptions
  requestedParts: PartRequests
  /** Memory permit for a large page. */
  permit: MemoryPermit
  /** Trace that records the attempts. */
  trace: Trace
}

/** Maximum size of a page after decoding, by its kind (bytes). */
export interface PageBounds {
  html: number
  text: number
  file: number
}

/** Proxy tier of the API, with its upstream proxy, if any. */
export interface ProxyTier {
  name: 'basic' | 'enhanced'
  upstream: URL | undefined
  /** True if HTTP requests use the network fingerprint of a browser. */
  asBrowser: boolean
}
