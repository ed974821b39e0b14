import { createEgress, type Egress } from '../../src/fetch/network/egress/egress.ts'
import { createGuard, createResolver, type ResolveName } from '../../src/fetch/network/guard.ts'
import { readAddressRule } from '../../src/platform/address-rule.ts'
import { silentLog } from '../../src/platform/log.ts'
import { type SiteOptions, startSite } from '../site/site.ts'
import { startDns, type Zone } from './dns.ts'
import { startRawSite } from './proxy-site.ts'

const cleanups: (() => unknown)[] = []

/** Registers a resource that is stopped at the end of the test. */
export function kept<Resource extends { stop(): unknown }>(resource: Resource): Resource {
  cleanups.push(() => resource.stop())
  return resource
}

/** Stops all resources of the test, in reverse order. */
export async function stopResources(): Promise<void> {
  for (const end of cleanups.splice(0).reverse()) await end()
}

/** Adds a function that returns the URL of a proxy without a team. */
export const withProxyUrl = (egress: Egress) => ({
  ...egress,
  proxyUrl: async (upstream: URL | undefined) => (await egress.exit({ team: '', upstream })).url,
})

/**
 * Starts an egress proxy that may access only these targets. A number is a port of 127.0.0.1. `resolveName` resolves
 * names.
 */
export async function startEgressTo(
  targets: (string | number)[],
  resolveName?: ResolveName,
): Promise<string> {
  const texts = targets.map((target) => (typeof target === 'number' ? `127.0.0.1:${target}` : target))
  const rules = texts.flatMap((rule) => readAddressRule(rule) ?? [])
  const egress = createEgress({ guard: createGuard(rules, resolveName), log: silentLog })
  kept({ stop: egress.close })
  return withProxyUrl(egress).proxyUrl(undefined)
}

export const site = async (options?: SiteOptions) => kept(await startSite(options))

export const rawSite = async (...args: Parameters<typeof startRawSite>) => kept(await startRawSite(...args))

/** Creates a resolver that queries a real name server with the zone of the test. */
export async function resolverOf(zone: Zone): Promise<ResolveName> {
  return createResolver([kept(await startDns(zone)).address])
}
