import type { StorageState } from '../browser/profile/profile-state.ts'
import type { ContentOptions } from '../content/content.ts'
import type { CapturePlan } from '../content/page.ts'
import type { PartRequests } from '../extraction/page-parts/parts.ts'
import type { MemoryPermit } from '../extraction/workers/memory-permits.ts'
import type { Trace } from '../platform/trace/trace.ts'
import type { ActionRequest } from './actions/index.ts'

/** Everything an engine may need to know, as data. */
export interface FetchPlan {
  teamId: string
  /** Id of the job whose pages may share connections: a crawl or batch, or the scrape itself. */
  jobId: string
  /** Nobody waits for the answer: what somebody waits for goes first. */
  isBackground: boolean
  url: URL
  /** Headers the caller gave, with names in lower case. */
  headers: Record<string, string>
  /** What the emulated browser says of itself: agent, accepted types, languages. */
  ownHeaders: Record<string, string>
  verifyTls: boolean
  maxBytes: PageBounds
  /** Why only a browser can serve this; undefined where plain HTTP may be enough. */
  browserReason: string | undefined
  /** False: the caller forbids a browser. */
  mayUseBrowser: boolean
  proxy: 'basic' | 'enhanced' | 'auto'
  isMobile: boolean
  country: string | undefined
  languages: string[]
  blocksAds: boolean
  /** Further wait after the smart one. */
  waitFor: number
  actions: ActionRequest[]
  /** What a language model does on the open page before it is read, in words. */
  task: string | undefined
  captures: CapturePlan
  /** Browser storage that the page starts with, and whether what it becomes is wanted. */
  profile: { state: StorageState | undefined; isSaved: boolean } | undefined
  /** How the page is read, and what is wanted of it: both known before it is fetched, so that it is read once. */
  content: ContentOptions
  wishes: PartRequests
  /** Room in memory for a large page. */
  room: MemoryPermit
  /** Where attempts are noted. */
  trace: Trace
}

/** How large a page may be after its codings were undone, by what it is. In bytes. */
export interface PageBounds {
  html: number
  text: number
  file: number
}

/** How a site is reached: the wire name, and the proxy that stands for it, if any. */
export interface ProxyTier {
  name: 'basic' | 'enhanced'
  upstream: URL | undefined
  /** HTTP is sent as a browser sends it. */
  asBrowser: boolean
}
