/** Without this, Chromium would reach loopback addresses past the proxy. */
export const bypass = '<-loopback>'

/** For every browser, whoever uses it. */
export const switches = [
  '--disable-quic',
  // Peer connections would otherwise go past the proxy.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-domain-reliability',
  '--disable-features=OptimizationHints,AutofillServerCommunication,MediaRouter,DialMediaRouteProvider',
  '--disable-blink-features=AutomationControlled',
  '--no-pings',
  '--mute-audio',
]

/** For browsers in which nobody sees but the one page: windows that it opens by the hundred are never opened. */
export const scrapeSwitches = ['--block-new-web-contents']
