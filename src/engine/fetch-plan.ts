import type { StorageState } from '../browser/profile-state.ts'
import type { CapturePlan } from '../content/captures.ts'
import type { ContentOptions } from '../content/content.ts'
import type { ActionRequest } from './actions/index.ts'

/** Everything an engine may need to know, as data. */
export interface FetchPlan {
  teamId: string
  /** Nobody waits for the answer: what somebody waits for goes first. */
  isBackground: boolean
  url: URL
  /** Headers the caller gave, with names in lower case. */
  headers: Record<string, string>
  /** What the emulated browser says of itself: agent, accepted types, languages. */
  ownHeaders: Record<string, string>
  verifyTls: boolean
  maxBytes: number
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
  captures: CapturePlan
  /** Browser storage that the page starts with, and whether what it becomes is wanted. */
  profile: { state: StorageState | undefined; isSaved: boolean } | undefined
  /** How the content will be read; the judgement of a page reads it the same way. */
  content: ContentOptions
}

/** How a site is reached: the wire name, and the proxy that stands for it, if any. */
export interface Way {
  name: 'basic' | 'enhanced'
  upstream: URL | undefined
}
