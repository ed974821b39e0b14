/** Without this, Chromium would reach loopback addresses past the proxy. */
export const bypass = '<-loopback>'

/** For every browser. */
export const switches = [
  '--disable-quic',
  // WebRTC connections would otherwise bypass the proxy.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-domain-reliability',
  '--disable-features=OptimizationHints,AutofillServerCommunication,MediaRouter,DialMediaRouteProvider',
  '--disable-blink-features=AutomationControlled',
  '--no-pings',
  '--mute-audio',
]

/** For browsers that only show one page: they never open the further windows that it requests. */
export const scrapeSwitches = ['--block-new-web-contents']
