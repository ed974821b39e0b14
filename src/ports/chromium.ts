import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { Browser } from 'playwright-core'
import type { SandboxEnd } from './sandbox.ts'

/** A place where browsers run. */
export interface Chromium {
  /** Starts a browser whose every request goes through the proxy. */
  launch(proxyUrl: string): Promise<LaunchedBrowser>
  /** Opens one page in a browser of its own, which ends with it, and answers what the page became. */
  readOnce(page: { proxyUrl: string; url: string }): Promise<string>
}

export interface LaunchedBrowser {
  browser: Browser
  /** Its main process, where it runs on this machine. */
  processId: number | undefined
  /** Memory of all its processes, as far as it can be seen from here. */
  residentMegabytes(): number
  /** Its processes now, as far as they can be seen from here; cheap enough to be asked several times a second. */
  processes(): BrowserProcess[]
  /** Ends one of them. */
  endProcess(pid: number): void
  /** Has one of them wait where others want the processor: from 0, like all others, to 19, behind all others. */
  stepBack(pid: number, priority: number): void
  /** Ends it, whatever state it is in. */
  kill(): Promise<void>
}

export interface BrowserProcess {
  pid: number
  /** It runs documents of one context; the others serve all contexts. */
  isOfPage: boolean
  ownMegabytes: number
  /** Seen by other processes too, perhaps. */
  sharedMegabytes: number
  /** So far. */
  processorTime: number
}

/** A place where each browser is alone: it shares no file, no process and no network with this machine or with another. */
export interface LonelyChromium {
  /** Starts a browser. All it sends to the outside arrives as connections of a proxy's clients. */
  launch(onConnection: (socket: Socket) => void): Promise<LonelyBrowser>
}

export interface LonelyBrowser {
  /** The DevTools protocol: messages as JSON, each with a zero byte behind it. */
  toBrowser: Writable
  fromBrowser: Readable
  /** Settles when it has ended, whoever ended it. */
  ended: Promise<SandboxEnd>
  /** Memory of all its processes. */
  residentMegabytes(): number
  /** Ends it; answers when nothing of it is left. */
  kill(): Promise<void>
}
