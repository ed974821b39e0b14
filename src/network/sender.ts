import type { BodyLimits } from './body.ts'

/** One request and its response, before redirects, cookies and encodings are handled. */
export type Sender = (url: URL, headers: Record<string, string>, signal: AbortSignal) => Promise<RawAnswer>

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  /** Cookies are the one header that must not be joined. */
  cookies: string[]
  /** The body as received, or already decoded; fails if it is larger than allowed. */
  read(limits: BodyLimits): Promise<{ bytes: Uint8Array; isDecoded: boolean }>
  /** Discards the body. */
  drop(): Promise<void>
}
