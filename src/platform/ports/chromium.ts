import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { Browser } from 'playwright-core'
import type { SandboxedProcess } from './sandbox.ts'

export interface Chromium {
  launch(proxyUrl: string): Promise<LaunchedBrowser>
  readOnce(page: { proxyUrl: string; url: string }): Promise<string>
}

export interface LaunchedBrowser {
  browser: Browser
  processId: number | undefined
  residentMegabytes(): number
  processes(): BrowserProcess[]
  endProcess(pid: number): void
  /** The nice value is from 0, the default, to 19, the lowest priority. */
  setPriority(pid: number, priority: number): void
  kill(): Promise<void>
}

export interface BrowserProcess {
  pid: number
  /** False for a process that serves all contexts. */
  isOfPage: boolean
  ownMegabytes: number
  sharedMegabytes: number
  processorTime: number
}

/** A browser in a sandbox shares no file, process or network with this machine or another browser. */
export interface SandboxedChromium {
  /** All outgoing traffic of the browser arrives as connections of proxy clients. */
  launch(onConnection: (socket: Socket) => void): Promise<SandboxedBrowser>
}

export interface SandboxedBrowser extends Pick<SandboxedProcess, 'ended' | 'residentMegabytes' | 'kill'> {
  /** DevTools protocol messages: JSON, each followed by a zero byte. */
  toBrowser: Writable
  fromBrowser: Readable
}
