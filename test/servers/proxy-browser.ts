import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const usualPlaces = ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium']

/** A Chromium of this machine; undefined where none is installed. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...usualPlaces].find((path) => path && existsSync(path))
}

/** What keeps a browser from going past its proxy. */
const closing = [
  '--proxy-bypass-list=<-loopback>',
  '--disable-quic',
  // The headless shell obeys the first, the whole Chromium the second.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** A browser behind a proxy, with or without the switches that close the ways past it. */
export function launchBehind(proxyUrl: string, ways: 'closed' | 'open'): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
    args: [`--proxy-server=${proxyUrl}`, ...(ways === 'closed' ? closing : [])],
  })
}
