import { describe, expect, it } from 'vitest'
import { createServiceAddress } from './network.ts'

const createAddress = (host: string, urls: { publicUrl?: string; peerUrl?: string } = {}) =>
  createServiceAddress({ host, port: 3002, publicUrl: undefined, peerUrl: undefined, ...urls })

describe('serviceAddress()', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3002'],
    ['0.0.0.0', 'http://localhost:3002'],
    ['::', 'http://localhost:3002'],
    ['::1', 'http://[::1]:3002'],
  ])('returns a URL that callers can use for host %s', (host, url) => {
    expect(createAddress(host).publicUrl()).toBe(url)
  })

  it('contains the port that was taken', () => {
    const address = createAddress('127.0.0.1')
    address.setPort(4000)
    expect(address.publicUrl()).toBe('http://127.0.0.1:4000')
    expect(address.peerUrl()).toBe('http://127.0.0.1:4000')
  })

  it('returns the configured URLs for callers and for other processes', () => {
    const address = createAddress('0.0.0.0', { publicUrl: 'https://a.example', peerUrl: 'http://one:3002' })
    expect([address.publicUrl(), address.peerUrl()]).toEqual(['https://a.example', 'http://one:3002'])
  })
})
