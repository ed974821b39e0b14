import { describe, expect, it } from 'vitest'
import { readAddressRule } from '../../platform/address-rule.ts'
import { createGuard, isPublic } from './guard.ts'
import { createOwnEndpoints } from './own-endpoints.ts'

const rules = (...texts: string[]) => texts.flatMap((text) => readAddressRule(text) ?? [])
const resolvesTo =
  (...addresses: string[]) =>
  async () =>
    addresses

describe('isPublic', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '2606:4700:4700::1111',
    '2606:4700::1111',
    '2a00:1450:4001:82a::200e',
    '::ffff:8.8.8.8',
    // NAT64 reaches the embedded address; a machine without IPv4 reaches every site in this way.
    '64:ff9b::808:808',
    '2606:4700:1:2:0:5efe:808:808',
    '2001:4860:4860::8888',
    '2400:cb00::1',
    '3000::1',
  ])('returns true for %s', (address) => {
    expect(isPublic(address)).toBe(true)
  })

  it.each([
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
      '172.31.255.255',
    ],
    ...['192.0.0.1', '192.0.2.1', '192.168.0.1', '198.19.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
    ...['240.0.0.1', '255.255.255.255', '::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:a00:1'],
    ...['64:ff9b::a00:1', '64:ff9b:1::1', '2001::1', '2001:db8::1', '2002:a00:1::', 'fc00::1', 'fd12::1'],
    ...['::ffff:0:127.0.0.1', '::ffff:0:7f00:1', '::ffff:0:8.8.8.8', '0:0:0:0:ffff:0:a00:1', '::8.8.8.8'],
    ...['64:ff9b::127.0.0.1', '64:ff9b:1::8.8.8.8', '64:ff9b::1:808:808', '64:ff9b:0:0:0:1:808:808'],
    ...[
      '2002:808:808::1',
      '2001:0:808:808::1',
      '2606:4700:1:2:0:5efe:a00:1',
      '2606:4700:1:2:200:5efe:7f00:1',
    ],
    ...['::ffff:0.0.0.0', '4000::1', '1::1', 'e000::1', '3ffe::1', '3fff::1', '5f00::1', '2606:4700::1%eth0'],
    ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'not an address', ''],
  ])('returns false for %s', (address) => {
    expect(isPublic(address)).toBe(false)
  })
})

describe('createGuard', () => {
  it('rejects a name if one of its addresses is private', async () => {
    const guard = createGuard([], resolvesTo('93.184.216.34', '10.0.0.1'))
    await expect(guard.resolve('mixed.example', 80)).rejects.toMatchObject({ code: 'TARGET_FORBIDDEN' })
  })

  it('returns the addresses of a public name', async () => {
    const guard = createGuard([], resolvesTo('93.184.216.34'))
    expect(await guard.resolve('site.example', 443)).toEqual(['93.184.216.34'])
  })

  it('rejects a name without addresses', async () => {
    await expect(createGuard([], resolvesTo()).resolve('empty.example', 80)).rejects.toMatchObject({
      code: 'TARGET_FORBIDDEN',
    })
  })

  it('allows an address on the port of the rule only', async () => {
    const guard = createGuard(rules('127.0.0.1:8080'))
    expect(await guard.resolve('127.0.0.1', 8080)).toEqual(['127.0.0.1'])
    await expect(guard.resolve('127.0.0.1', 8081)).rejects.toMatchObject({ code: 'TARGET_FORBIDDEN' })
  })

  it('allows the addresses of a network', () => {
    const guard = createGuard(rules('10.1.0.0/16'))
    expect(guard.allows('10.1.2.3', 'x', 80)).toBe(true)
    expect(guard.allows('10.2.0.1', 'x', 80)).toBe(false)
  })

  it('allows a name with any address, but not its address under another name', async () => {
    const guard = createGuard(rules('intranet.example'), resolvesTo('10.0.0.5'))
    expect(await guard.resolve('Intranet.Example', 80)).toEqual(['10.0.0.5'])
    await expect(guard.resolve('other.example', 80)).rejects.toMatchObject({ code: 'TARGET_FORBIDDEN' })
  })

  it('rejects ports that browsers block, on public addresses too', async () => {
    const guard = createGuard([], resolvesTo('93.184.216.34'))
    await expect(guard.resolve('site.example', 25)).rejects.toMatchObject({ code: 'TARGET_FORBIDDEN' })
  })
})

describe('createGuard with refusals', () => {
  const own = createOwnEndpoints(
    [
      { host: 'db.example', port: 5432 },
      { host: 'api.example', port: 443 },
      { host: '10.0.0.8', port: 9000 },
      { host: '127.0.0.1', port: 6432 },
    ],
    isPublic,
    async (name) => (name === 'db.example' ? ['10.0.0.7', '93.184.216.40'] : ['93.184.216.34']),
  )
  const everything = rules('0.0.0.0/0', '::/0')
  const guard = createGuard(everything, resolvesTo('93.184.216.34'), {
    denied: rules('198.18.0.0/16', '8.8.8.8:80', 'denied.example'),
    own,
  })
  own.register('here', { port: 3002, hosts: ['10.1.1.1', 'peer.example'], isOnAllInterfaces: true })

  it.each([
    ['10.0.0.7', 5432],
    ['93.184.216.40', 5432],
    ['::ffff:10.0.0.7', 5432],
    ['64:ff9b::a00:7', 5432],
    ['db.example', 5432],
    ['DB.example.', 5432],
    ['api.example', 443],
    ['10.0.0.8', 9000],
    ['127.0.0.1', 6432],
    ['127.0.0.2', 6432],
    ['0.0.0.0', 6432],
    ['::', 6432],
    ['::1', 6432],
    ['127.0.0.1', 3002],
    ['127.9.9.9', 3002],
    ['0.0.0.0', 3002],
    ['::', 3002],
    ['::1', 3002],
    ['10.1.1.1', 3002],
    ['peer.example', 3002],
    ['127.87.78.1', 12345],
    ['198.18.3.4', 443],
    ['::ffff:198.18.3.4', 443],
    ['64:ff9b::c612:304', 443],
    ['8.8.8.8', 80],
    ['denied.example', 8080],
  ])('rejects %s on port %i', async (host, port) => {
    await expect(guard.resolve(host, port)).rejects.toMatchObject({ code: 'TARGET_FORBIDDEN' })
  })

  it.each([
    ['10.0.0.7', 5433],
    ['db.example', 80],
    // Other sites share this IP address with the service on a common port.
    ['93.184.216.34', 443],
    ['127.0.0.1', 3003],
    ['8.8.8.8', 443],
  ])('allows %s on port %i', async (host, port) => {
    await expect(guard.resolve(host, port)).resolves.toBeDefined()
  })

  it.each(['168.63.129.16', '161.26.0.10', '166.9.1.1', '192.80.8.124', '::ffff:168.63.129.16'])(
    'does not treat %s of a cloud platform as public',
    (address) => {
      expect(isPublic(address)).toBe(false)
    },
  )
})
