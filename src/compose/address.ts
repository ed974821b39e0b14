import type { Settings } from '../settings.ts'

/** Under which addresses callers and other processes reach this one; its port may be known only when it listens. */
export function serviceAddress(http: Pick<Settings['http'], 'host' | 'port' | 'publicUrl' | 'peerUrl'>) {
  let { port } = http
  const ownUrl = () => `http://${hostText(http.host)}:${port}`
  return {
    publicUrl: () => http.publicUrl ?? ownUrl(),
    peerUrl: () => http.peerUrl ?? ownUrl(),
    listensOn(taken: number) {
      port = taken
    },
  }
}

export type ServiceAddress = ReturnType<typeof serviceAddress>

/** What stands in a URL: an address that means "all interfaces" is no address a caller could use. */
function hostText(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
