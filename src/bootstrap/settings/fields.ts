import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { readAddressRule } from '../../platform/address-rule.ts'

export function wholeNumber(min: number, max: number) {
  return z.string().regex(/^\d+$/, 'is a whole number').transform(Number).pipe(z.number().min(min).max(max))
}

export const programPath = () => z.string().startsWith('/', 'is an absolute path').optional()

export function proxyUrl() {
  return z
    .string()
    .refine(
      (text) => /^(http|socks5h?):$/.test(URL.parse(text.replaceAll('{country}', 'us'))?.protocol ?? ''),
      'is an http:// or socks5:// URL',
    )
    .optional()
}

export function list() {
  return z.string().transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
}

/** Entries for which `read` returns undefined are errors. */
function listOf<Entry>(read: (entry: string) => Entry | undefined, expected: string) {
  return list()
    .transform((entries, context) =>
      entries.map((entry) => {
        const parsed = read(entry)
        if (parsed !== undefined) return parsed
        const message = `contains "${entry}", which is not ${expected}`
        context.addIssue({ code: 'custom', message })
        return z.NEVER
      }),
    )
    .default([])
}

export const addressRules = () => listOf(readAddressRule, 'an address, network or name')

export function networks() {
  return listOf((entry) => {
    const rule = readAddressRule(entry)
    return rule?.form === 'network' && rule.port === undefined ? rule : undefined
  }, 'an address or a network')
}

export function dnsServers() {
  return listOf((entry) => {
    const [, ipv6, ipv4] = /^(?:\[(.+)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? []
    return isIP(ipv6 ?? ipv4 ?? entry) === 0 ? undefined : entry
  }, 'the address of a DNS server')
}

export function folderOrOff() {
  return z
    .string()
    .refine((text) => text === 'off' || text.startsWith('/'), { error: 'is an absolute path or `off`' })
    .optional()
}

/** `script:/path` is a file of scripted answers for tests and demonstrations. */
export function isModelUrl(text: string): boolean {
  if (text.startsWith('script:'))
    return text.startsWith('script:/') && existsSync(text.slice('script:'.length))
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === ''
}
