import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { Browser } from 'playwright-core'
import type { SandboxEnd } from './sandbox.ts'

/** A place where browsers run. */
export interface Chromium {
  /** Starts a browser whose every request goes through the proxy. */
  launch(proxyUrl: string): Promise<LaunchedBrowser>
  /** Opens one page in a separate browser that ends with it, and returns the resulting page. */
  readOnce(page: { proxyUrl: string; url: string }): Promise<string>
}

export interface LaunchedBrowser {
  browser: Browser
  /** Its main process, if it runs on this machine. */
  processId: number | undefined
  /** Memory of all its processes, as far as it is visible from here. */
  residentMegabytes(): number
  /** Its current processes, as far as they are visible from here; cheap enough to call several times a second. */
  processes(): BrowserProcess[]
  /** Ends one of them. */
  endProcess(pid: number): void
  /** Sets the nice value of one of them: from 0, the default, to 19, the lowest priority. */
  stepBack(pid: number, priority: number): void
  /** Ends it in any state. */
  kill(): Promise<void>
}

export interface BrowserProcess {
  pid: number
  /** It runs documents of one context; the others serve all contexts. */
  isOfPage: boolean
  ownMegabytes: number
  /** May be shared with other processes. */
  sharedMegabytes: number
  /** So far. */
  processorTime: number
}

/** Starts browsers, each in a sandbox of its own: one shares no file, process or network with this machine or with another. */
export interface SandboxedChromium {
  /** Starts a browser. All its outgoing traffic arrives as connections of proxy clients. */
  launch(onConnection: (socket: Socket) => void): Promise<SandboxedBrowser>
}

export interface SandboxedBrowser {
  /** The DevTools protocol: messages as JSON, each followed by a zero byte. */
  toBrowser: Writable
  fromBrowser: Readable
  /** Settles when it has ended, for any reason. */
  ended: Promise<SandboxEnd>
  /** Memory of all its processes. */
  residentMegabytes(): number
  /** Ends it; resolves when nothing of it is left. */
  kill(): Promise<void>
}
