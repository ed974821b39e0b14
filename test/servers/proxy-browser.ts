import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const usualPaths = ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium']

/** Returns the path of a Chromium on this machine; undefined if none is installed. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...usualPaths].find((path) => path && existsSync(path))
}

/** Flags that prevent a browser from bypassing its proxy. */
const noBypassFlags = [
  '--proxy-bypass-list=<-loopback>',
  '--disable-quic',
  // The headless shell uses the first flag, and the full Chromium uses the second one.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** Launches a browser behind a proxy, with or without the flags that prevent bypassing it. */
export function launchBehind(proxyUrl: string, ways: 'closed' | 'open'): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
    args: [`--proxy-server=${proxyUrl}`, ...(ways === 'closed' ? noBypassFlags : [])],
  })
}
