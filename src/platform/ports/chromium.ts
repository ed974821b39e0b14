import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { Browser } from 'playwright-core'
import type { SandboxEnd } from './sandbox.ts'

/** Launcher of browsers. */
export interface Chromium {
  /** Starts a browser that sends every request through the proxy. */
  launch(proxyUrl: string): Promise<LaunchedBrowser>
  /** Opens one page in a separate browser, returns its HTML and ends the browser. */
  readOnce(page: { proxyUrl: string; url: string }): Promise<string>
}

export interface LaunchedBrowser {
  browser: Browser
  /** Id of the main process, if it runs on this machine. */
  processId: number | undefined
  /** Returns the memory of all browser processes that are visible from here. */
  residentMegabytes(): number
  /** Returns the current browser processes that are visible from here; cheap enough to call several times a second. */
  processes(): BrowserProcess[]
  /** Ends one of these processes. */
  endProcess(pid: number): void
  /** Sets the nice value of one of these processes: from 0, the default, to 19, the lowest priority. */
  setPriority(pid: number, priority: number): void
  /** Ends the browser in any state. */
  kill(): Promise<void>
}

export interface BrowserProcess {
  pid: number
  /** True if the process runs documents of one context; false for a process that serves all contexts. */
  isOfPage: boolean
  ownMegabytes: number
  /** Memory that other processes may share. */
  sharedMegabytes: number
  /** Processor time so far, in milliseconds. */
  processorTime: number
}

/**
 * Launcher of browsers in sandboxes: a browser shares no file, process or network with this machine or another browser.
 */
export interface SandboxedChromium {
  /** Starts a browser. All its outgoing traffic arrives as connections of proxy clients. */
  launch(onConnection: (socket: Socket) => void): Promise<SandboxedBrowser>
}

export interface SandboxedBrowser {
  /** Stream of DevTools protocol messages: JSON, each followed by a zero byte. */
  toBrowser: Writable
  fromBrowser: Readable
  /** Settles when the browser has ended, for any reason. */
  ended: Promise<SandboxEnd>
  /** Returns the memory of all browser processes. */
  residentMegabytes(): number
  /** Ends the browser; resolves when no part of it is left. */
  kill(): Promise<void>
}
