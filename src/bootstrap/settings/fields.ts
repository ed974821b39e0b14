import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { readAddressRule } from '../../platform/address-rule.ts'

export function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d+$/, 'is a whole number')
    .transform(Number)
    .pipe(z.number().min(least).max(most))
}

export function program() {
  return z.string().startsWith('/', 'is an absolute path').optional()
}

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

/** A comma-separated list of entries that `read` returns; an entry for which it returns nothing is not `what`. */
function listOf<Entry>(read: (entry: string) => Entry | undefined, what: string) {
  return list()
    .transform((entries, context) =>
      entries.map((entry) => {
        const found = read(entry)
        if (found !== undefined) return found
        const message = `contains "${entry}", which is not ${what}`
        context.addIssue({ code: 'custom', message })
        return z.NEVER
      }),
    )
    .default([])
}

export const addressRules = () => listOf(readAddressRule, 'an address, network or name')

/** Addresses or networks such as `10.0.0.0/8`, without a port. */
export function networks() {
  return listOf((entry) => {
    const rule = readAddressRule(entry)
    return rule?.form === 'network' && rule.port === undefined ? rule : undefined
  }, 'an address or a network')
}

export function dnsServers() {
  return listOf((entry) => {
    const [, six, four] = /^(?:\[(.+)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? []
    return isIP(six ?? four ?? entry) === 0 ? undefined : entry
  }, 'the address of a DNS server')
}

/** The absolute path of a folder, or `off`. */
export function folderOrOff() {
  return z
    .string()
    .refine((text) => text === 'off' || text.startsWith('/'), { error: 'is an absolute path or `off`' })
    .optional()
}

export function isModelUrl(text: string): boolean {
  if (text.startsWith('script:'))
    return text.startsWith('script:/') && existsSync(text.slice('script:'.length))
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === ''
}
