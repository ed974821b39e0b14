import { describe, expect, it } from 'vitest'
import { serviceAddress } from './network.ts'

const addressOf = (host: string, given: { publicUrl?: string; peerUrl?: string } = {}) =>
  serviceAddress({ host, port: 3002, publicUrl: undefined, peerUrl: undefined, ...given })

describe('the address of a service', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3002'],
    ['0.0.0.0', 'http://localhost:3002'],
    ['::', 'http://localhost:3002'],
    ['::1', 'http://[::1]:3002'],
  ])('is one that a caller can use: %s', (host, url) => {
    expect(addressOf(host).publicUrl()).toBe(url)
  })

  it('has the port that was taken', () => {
    const address = addressOf('127.0.0.1')
    address.listensOn(4000)
    expect(address.publicUrl()).toBe('http://127.0.0.1:4000')
    expect(address.peerUrl()).toBe('http://127.0.0.1:4000')
  })

  it('is the one that was set, for callers and for other processes', () => {
    const address = addressOf('0.0.0.0', { publicUrl: 'https://a.example', peerUrl: 'http://one:3002' })
    expect([address.publicUrl(), address.peerUrl()]).toEqual(['https://a.example', 'http://one:3002'])
  })
})
