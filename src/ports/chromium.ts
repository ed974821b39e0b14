import type { Browser } from 'playwright-core'

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
  /** Ends it, whatever state it is in. */
  kill(): Promise<void>
}
