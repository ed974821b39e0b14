import { createEgress } from '../../src/fetch/network/egress/egress.ts'
import { createGuard, createResolver, type ResolveName } from '../../src/fetch/network/guard.ts'
import { readAddressRule } from '../../src/platform/address-rule.ts'
import { silentLog } from '../../src/platform/log.ts'
import { type SiteOptions, startSite } from '../site/site.ts'
import { startDns, type Zone } from './dns.ts'
import { startRawSite } from './proxy-site.ts'

const ends: (() => unknown)[] = []

/** Something that ends with the test. */
export function kept<StructuredItem extends { stop(): unknown }>(thing: StructuredItem): StructuredItem {
  ends.push(() => thing.stop())
  return thing
}

/** Ends what the test has started, the latest first. */
export async function endScene(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}

/** A proxy that may reach these places (a number is a port of 127.0.0.1), where names resolve as the test says. */
export async function proxyTo(places: (string | number)[], resolveName?: ResolveName): Promise<string> {
  const texts = places.map((place) => (typeof place === 'number' ? `127.0.0.1:${place}` : place))
  const rules = texts.flatMap((rule) => readAddressRule(rule) ?? [])
  const egress = createEgress({ guard: createGuard(rules, resolveName), log: silentLog })
  kept({ stop: egress.close })
  return egress.proxyUrl(undefined)
}

export const site = async (options?: SiteOptions) => kept(await startSite(options))

export const rawSite = async (...given: Parameters<typeof startRawSite>) => kept(await startRawSite(...given))

/** Looks names up in a real name server that answers as the test says. */
export async function resolvedBy(zone: Zone): Promise<ResolveName> {
  return createResolver([kept(await startDns(zone)).address])
}
