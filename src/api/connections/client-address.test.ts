import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type AddressRule, readAddressRule } from '../../platform/address-rule.ts'
import { createClientAddress } from './client-address.ts'

const rules = (...texts: string[]) => texts.map((text) => readAddressRule(text) as AddressRule)
const getClientAddress = (trusted: string[], remoteAddress: string, headers: IncomingHttpHeaders = {}) =>
  // The cast is safe: the function reads nothing else of a socket.
  createClientAddress(rules(...trusted))({ headers, socket: { remoteAddress } as never })

describe('createClientAddress()', () => {
  it('returns the peer if no proxy is trusted, whatever the headers contain', () => {
    const headers = { 'x-forwarded-for': '9.9.9.9', forwarded: 'for=9.9.9.9' }
    expect(getClientAddress([], '10.0.0.1', headers)).toBe('10.0.0.1')
    expect(getClientAddress(['10.0.0.2'], '10.0.0.1', headers)).toBe('10.0.0.1')
    expect(getClientAddress([], '::ffff:10.0.0.1')).toBe('10.0.0.1')
  })

  it.each([
    ['one hop', '9.9.9.9', '9.9.9.9'],
    ['hops that the client invented', '1.1.1.1, 2.2.2.2, 9.9.9.9', '9.9.9.9'],
    ['several trusted proxies', '1.1.1.1, 9.9.9.9, 10.0.0.7, 10.0.0.8', '9.9.9.9'],
    ['ports', '9.9.9.9:4711', '9.9.9.9'],
    ['an IPv4 address on an IPv6 socket', '::ffff:9.9.9.9', '9.9.9.9'],
    ['a word at the end', '9.9.9.9, unknown', '10.0.0.1'],
    ['a word before a trusted proxy', 'unknown, 10.0.0.7', '10.0.0.7'],
    ['an empty header', '', '10.0.0.1'],
    ['only trusted proxies', '10.0.0.7, 10.0.0.8', '10.0.0.7'],
  ])('returns the right-most address that is not a trusted proxy: %s', (_, header, client) => {
    expect(getClientAddress(['10.0.0.0/8'], '10.0.0.1', { 'x-forwarded-for': header })).toBe(client)
  })

  it('reads Forwarded as well, and neither header if they disagree', () => {
    const trusted = ['10.0.0.0/8']
    expect(
      getClientAddress(trusted, '10.0.0.1', { forwarded: 'for=1.1.1.1, proto=https;for="9.9.9.9:80"' }),
    ).toBe('9.9.9.9')
    expect(getClientAddress(trusted, '10.0.0.1', { forwarded: 'for=_hidden' })).toBe('10.0.0.1')
    const both = { 'x-forwarded-for': '9.9.9.9', forwarded: 'for=9.9.9.9' }
    expect(getClientAddress(trusted, '10.0.0.1', both)).toBe('9.9.9.9')
    expect(getClientAddress(trusted, '10.0.0.1', { ...both, forwarded: 'for=8.8.8.8' })).toBe('10.0.0.1')
  })

  it('returns the same key for all addresses of one IPv6 /64 network', () => {
    const key = '2001:db8:0:7::/64'
    for (const address of [
      '2001:db8:0:7::1',
      '2001:0db8::7:1:2:3:4',
      '2001:db8:0:7:ffff::',
      '2001:db8::7:0:0:1.2.3.4',
    ])
      expect(getClientAddress([], address)).toBe(key)
    expect(getClientAddress(['::1'], '::1', { forwarded: 'for="[2001:db8:0:7::9]:80"' })).toBe(key)
    expect(getClientAddress([], '2001:db8:0:8::1')).not.toBe(key)
    expect(getClientAddress([], 'fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  })
})
