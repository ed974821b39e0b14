import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { type AddressRule, readAddressRule } from '../base/address-rule.ts'

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
      {
        error: 'is an http:// or socks5:// URL',
      },
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

export function ruleOrIssue(entry: string, context: z.RefinementCtx): AddressRule {
  const rule = readAddressRule(entry)
  if (rule) return rule
  context.addIssue({
    code: 'custom',
    message: `contains "${entry}", which is not an address, network or name`,
  })
  return z.NEVER
}

/** An address or a network such as `10.0.0.0/8`, without a port. */
export function networkOrIssue(entry: string, context: z.RefinementCtx): AddressRule {
  const rule = readAddressRule(entry)
  if (rule?.form === 'network' && rule.port === undefined) return rule
  context.addIssue({ code: 'custom', message: `contains "${entry}", which is not an address or a network` })
  return z.NEVER
}

export function serverOrIssue(entry: string, context: z.RefinementCtx): string {
  const [, six, four] = /^(?:\[(.+)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? []
  if (isIP(six ?? four ?? entry) !== 0) return entry
  context.addIssue({
    code: 'custom',
    message: `contains "${entry}", which is not the address of a DNS server`,
  })
  return z.NEVER
}

export function isModelUrl(text: string): boolean {
  if (text.startsWith('script:'))
    return text.startsWith('script:/') && existsSync(text.slice('script:'.length))
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === ''
}
