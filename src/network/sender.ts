import type { BodyLimits } from './body.ts'

/** One request and its answer, before redirects, cookies and codings are looked at. */
export type Sender = (url: URL, headers: Record<string, string>, signal: AbortSignal) => Promise<RawAnswer>

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  /** Cookies are the one header that must not be joined. */
  cookies: string[]
  /** The body as it came, or decoded already; fails when it is larger than allowed. */
  read(limits: BodyLimits): Promise<{ bytes: Uint8Array; isDecoded: boolean }>
  /** Gives up the body. */
  drop(): Promise<void>
}
