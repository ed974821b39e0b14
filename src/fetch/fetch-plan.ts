import type { StorageState } from '../browser/profile/profile-state.ts'
import type { ContentOptions } from '../content/content.ts'
import type { CapturePlan } from '../content/page.ts'
import type { PartRequests } from '../extraction/page-parts/parts.ts'
import type { MemoryPermit } from '../extraction/workers/memory-permits.ts'
import type { Trace } from '../platform/trace/trace.ts'
import type { ActionRequest } from './actions/index.ts'

export interface FetchPlan {
  teamId: string
  jobId: string
  /** No caller waits for the response; foreground fetches have priority. */
  isBackground: boolean
  url: URL
  /** Headers of the caller. */
  headers: Record<string, string>
  /** Headers that a browser sends by itself, such as Accept-Language. */
  ownHeaders: Record<string, string>
  verifyTls: boolean
  maxBytes: PageBounds
  /** Undefined if plain HTTP may be enough. */
  browserReason: string | undefined
  mayUseBrowser: boolean
  proxy: 'basic' | 'enhanced' | 'auto'
  isMobile: boolean
  country: string | undefined
  languages: string[]
  blocksAds: boolean
  waitFor: number
  actions: ActionRequest[]
  task: string | undefined
  captures: CapturePlan
  /** Storage to start with. `isSaved` is true if the storage is returned after the fetch. */
  profile: { state: StorageState | undefined; isSaved: boolean } | undefined
  content: ContentOptions
  requestedParts: PartRequests
  permit: MemoryPermit
  trace: Trace
}

/** Maximum bytes after decoding, by the kind of page. */
export interface PageBounds {
  html: number
  text: number
  file: number
}

export interface ProxyTier {
  name: 'basic' | 'enhanced'
  upstream: URL | undefined
  asBrowser: boolean
}
