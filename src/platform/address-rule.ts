import { isIP } from 'node:net'

/** One entry of ALLOW_PRIVATE_NETWORK or DENY_NETWORK: an address, a network or a name, optionally limited to one port. */
export type AddressRule =
  | { form: 'network'; address: string; family: 'ipv4' | 'ipv6'; prefix: number; port?: number }
  | { form: 'name'; name: string; port?: number }

/** Reads `127.0.0.1`, `10.1.0.0/16`, `[fd00::]/8`, `intranet.example:8080`; undefined when it is none of these. */
export function readAddressRule(text: string): AddressRule | undefined {
  const parts = /^(\[[0-9a-f:.]+\]|[^[\]:/]+|[0-9a-f:]+)(?:\/(\d{1,3}))?(?::(\d{1,5}))?$/i.exec(text.trim())
  if (!parts?.[1]) return undefined
  const host = parts[1].replace(/^\[|\]$/g, '')
  const port = parts[3] === undefined ? {} : { port: Number(parts[3]) }
  if (port.port !== undefined && (port.port < 1 || port.port > 65535)) return undefined
  const version = isIP(host)
  if (version === 0) {
    const isName =
      parts[2] === undefined && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(host) && !/^[\d.]+$/.test(host)
    return isName ? { form: 'name', name: host.toLowerCase(), ...port } : undefined
  }
  const widest = version === 4 ? 32 : 128
  const prefix = parts[2] === undefined ? widest : Number(parts[2])
  if (prefix > widest) return undefined
  return { form: 'network', address: host, family: version === 4 ? 'ipv4' : 'ipv6', prefix, ...port }
}
