import { lookup, Resolver } from 'node:dns/promises'
import { AppError } from '../base/errors.ts'

/** Name → addresses, in order of preference. */
export type ResolveName = (name: string) => Promise<string[]>

/** Uses these DNS servers, or the resolver of this machine if none is given. */
export function resolverFor(servers: string[]): ResolveName {
  if (servers.length === 0) return systemResolve
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  resolver.setServers(servers)
  return (name) => serverResolve(resolver, name)
}

async function systemResolve(name: string): Promise<string[]> {
  try {
    const found = await lookup(name, { all: true, order: 'verbatim' })
    return found.map(({ address }) => address)
  } catch (cause) {
    throw unresolved(name, cause)
  }
}

async function serverResolve(resolver: Resolver, name: string): Promise<string[]> {
  // By the standard this name is never looked up, and always means this machine.
  if (/(^|\.)localhost$/i.test(name)) return ['127.0.0.1', '::1']
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = [four, six].flatMap((found) => (found.status === 'fulfilled' ? found.value : []))
  if (addresses.length > 0) return addresses
  throw unresolved(name, four.status === 'rejected' ? four.reason : undefined)
}

function unresolved(name: string, cause: unknown): AppError {
  return new AppError('SCRAPE_DNS_RESOLUTION_ERROR', { host: name, phase: 'resolve' }, { cause })
}
