import type { Settings } from '../settings.ts'

/** The URLs at which callers and other processes reach this one; the port may be known only once it listens. */
export function serviceAddress(http: Pick<Settings['http'], 'host' | 'port' | 'publicUrl' | 'peerUrl'>) {
  let { port } = http
  const ownUrl = () => `http://${hostText(http.host)}:${port}`
  return {
    publicUrl: () => http.publicUrl ?? ownUrl(),
    peerUrl: () => http.peerUrl ?? ownUrl(),
    /** Where this process listens, and where its peers reach it. */
    listening: () => ({ host: http.host, port, peerUrl: http.peerUrl ?? ownUrl() }),
    listensOn(taken: number) {
      port = taken
    },
  }
}

export type ServiceAddress = ReturnType<typeof serviceAddress>

/** The host for a URL: callers cannot use an address that means "all interfaces". */
function hostText(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
