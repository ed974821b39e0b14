import { isIPv4, isIPv6 } from 'node:net'

/**
 * The eight groups of an IPv6 address; undefined if it is not one. Zones are not supported: a link-local address is never
 * public.
 */
export function groupsOf(address: string): number[] | undefined {
  if (!isIPv6(address) || address.includes('%')) return undefined
  const [before = '', after] = address.split('::')
  const [head, tail] = [readGroups(before), readGroups(after ?? '')]
  const missing = after === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...Array<number>(missing).fill(0), ...tail]
}

function readGroups(text: string): number[] {
  return text
    .split(':')
    .filter((part) => part !== '')
    .flatMap((part) => (isIPv4(part) ? pairsOf(part) : [Number.parseInt(part, 16)]))
}

function pairsOf(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

/**
 * The IPv4 address that an IPv6 address actually reaches, if it embeds one: mapped (`::ffff:a.b.c.d`), NAT64
 * (`64:ff9b::a.b.c.d`), and ISATAP, which is marked in the middle of any prefix.
 */
export function addressInside(groups: number[]): string | undefined {
  const starts = (...prefix: number[]) => prefix.every((group, index) => groups[index] === group)
  const isMapped = starts(0, 0, 0, 0, 0, 0xffff)
  const isNat64 = starts(0x64, 0xff9b, 0, 0, 0, 0)
  const isIsatap = groups[5] === 0x5efe && (groups[4] === 0 || groups[4] === 0x200)
  if (!isMapped && !isNat64 && !isIsatap) return undefined
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
