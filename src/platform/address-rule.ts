import { isIP } from 'node:net'

/** Entry of ALLOW_PRIVATE_NETWORK or DENY_NETWORK: an IP address, a network or a host name, optionally with a port. */
export type AddressRule =
  | { form: 'network'; address: string; family: 'ipv4' | 'ipv6'; prefix: number; port?: number }
  | { form: 'name'; name: string; port?: number }

/** Parses `127.0.0.1`, `10.1.0.0/16`, `[fd00::]/8`, `intranet.example:8080`; returns undefined for other texts. */
export function readAddressRule(text: string): AddressRule | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^[\]:/]+|[0-9a-f:]+)(?:\/(\d{1,3}))?(?::(\d{1,5}))?$/i.exec(text.trim())
  if (!match?.[1]) return undefined
  const host = match[1].replace(/^\[|\]$/g, '')
  const port = match[3] === undefined ? {} : { port: Number(match[3]) }
  if (port.port !== undefined && (port.port < 1 || port.port > 65535)) return undefined
  const version = isIP(host)
  if (version === 0) {
    const isName =
      match[2] === undefined && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(host) && !/^[\d.]+$/.test(host)
    return isName ? { form: 'name', name: host.toLowerCase(), ...port } : undefined
  }
  const maxPrefix = version === 4 ? 32 : 128
  const prefix = match[2] === undefined ? maxPrefix : Number(match[2])
  if (prefix > maxPrefix) return undefined
  return { form: 'network', address: host, family: version === 4 ? 'ipv4' : 'ipv6', prefix, ...port }
}
