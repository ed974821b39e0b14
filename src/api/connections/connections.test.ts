import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createSharedActivity, readActivity } from '../../platform/activity.ts'
import { type AddressRule, readAddressRule } from '../../platform/address-rule.ts'
import { silentLog } from '../../platform/log.ts'
import { createClientAddress } from './client-address.ts'
import { type Connections, limitConnections } from './connections.ts'
import { createOpenConnections } from './open-connections.ts'
import { createUpgradeRouter } from './upgrades.ts'

let server: Server
let connections: Connections
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
  server.closeAllConnections()
})

const clientAddress = createClientAddress([readAddressRule('127.0.0.1') as AddressRule])

async function listen(maxConnections: number, handle: RequestListener): Promise<void> {
  server = createServer(handle)
  connections = limitConnections(server, { maxConnections, clientAddress, log: silentLog })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
}

/** Connects through a trusted proxy that names the client. */
async function connectAs(client: string, head = 'POST / HTTP/1.1', framing = 'content-length: 10') {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const received = once(server, framing === '' ? 'upgrade' : 'request')
  socket.write(`${[head, 'host: x', `x-forwarded-for: ${client}`, framing].join('\r\n')}\r\n\r\n`)
  if (framing !== '') await received
  return socket
}

const areOpen = (clients: Socket[]) => clients.map((socket) => !socket.destroyed && !socket.readableEnded)

describe('boundConnections() at the limit', () => {
  it('evicts a connection of the client with the most pending bodies', async () => {
    await listen(6, () => undefined)
    const first = await connectAs('9.9.9.1')
    const many = [await connectAs('9.9.9.2'), await connectAs('9.9.9.2'), await connectAs('9.9.9.2')]
    const others = [await connectAs('9.9.9.3'), await connectAs('9.9.9.4')]
    const newcomer = await connectAs('9.9.9.5')
    await expect
      .poll(() => areOpen([first, ...many, ...others, newcomer]))
      .toEqual([true, false, true, true, true, true, true])
  })

  it('limits connections with pending bodies to half per client', async () => {
    await listen(6, () => undefined)
    const many = [...Array(5).keys()].map(() => () => connectAs('9.9.9.2'))
    const opened: Socket[] = []
    for (const open of many) opened.push(await open())
    await expect.poll(() => areOpen(opened)).toEqual([false, false, true, true, true])
  })

  it('limits idle connections to half per client', async () => {
    await listen(6, (_, response) => void response.end())
    const idle = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
    const opened = [idle]
    sockets.push(idle)
    for (let count = 0; count < 3; count += 1)
      opened.push(await connectAs('127.0.0.1', 'GET / HTTP/1.1', 'a: b'))
    idle.resume()
    await expect.poll(() => areOpen(opened)).toEqual([false, true, true, true])
  })

  it('counts connections for the team once its key is checked', async () => {
    await listen(6, (request) => connections.awaitBody(request, `team ${request.headers['x-forwarded-for']}`))
    const first = await connectAs('9.9.9.1')
    const opened: Socket[] = [first]
    for (let count = 0; count < 4; count += 1) opened.push(await connectAs('9.9.9.2'))
    await expect.poll(() => areOpen(opened)).toEqual([true, false, true, true, true])
  })

  it('evicts connections without a key, also while a response is unfinished', async () => {
    await listen(3, () => undefined)
    const many = [
      await connectAs('9.9.9.2', 'GET / HTTP/1.1', 'accept: */*'),
      await connectAs('9.9.9.2', 'GET / HTTP/1.1', 'accept: */*'),
    ]
    const others = [await connectAs('9.9.9.3'), await connectAs('9.9.9.4')]
    await expect.poll(() => areOpen([...many, ...others])).toEqual([false, true, true, true])
  })

  it('does not evict connections with a call in progress and reserves capacity for other teams', async () => {
    const rejectedTeams: string[] = []
    await listen(20, (request, response) => {
      const team = String(request.headers['x-forwarded-for'])
      try {
        connections.countCall(request, response, team)
      } catch {
        rejectedTeams.push(team)
        response.end()
      }
    })
    const call = (team: string) => connectAs(team, 'GET / HTTP/1.1', 'accept: */*')
    const first: Socket[] = []
    for (let count = 0; count < 11; count += 1) first.push(await call('9.9.9.1'))
    expect(rejectedTeams).toEqual(['9.9.9.1'])
    for (let count = 0; count < 4; count += 1) await call('9.9.9.2')
    expect(rejectedTeams).toEqual(['9.9.9.1', '9.9.9.2'])
    await call('9.9.9.3')
    expect(rejectedTeams).toHaveLength(2)
    expect(areOpen(first.slice(0, 10))).toEqual(Array(10).fill(true))
  })

  it('counts a call when its body has arrived, so that unfinished bodies do not block other teams', async () => {
    const rejectedTeams: string[] = []
    await listen(20, (request, response) => {
      const team = String(request.headers['x-forwarded-for'])
      connections.countCall(request, response, team)
      connections.awaitBody(request, team)
      request.resume().once('end', () => {
        try {
          connections.markBodyReceived(request)
        } catch {
          rejectedTeams.push(team)
        }
      })
    })
    for (let count = 0; count < 9; count += 1) await connectAs('9.9.9.1')
    for (let count = 0; count < 9; count += 1) await connectAs('9.9.9.2')
    const third: Socket[] = []
    for (let count = 0; count < 11; count += 1) {
      const socket = await connectAs('9.9.9.3')
      third.push(socket)
      socket.write('0123456789')
      if (count < 10) continue
      await expect.poll(() => rejectedTeams).toEqual(['9.9.9.3'])
    }
    expect(areOpen(third)).toEqual(Array(11).fill(true))
  })

  it('destroys a connection that pipelines too many requests', async () => {
    let responseCount = 0
    await listen(20, (_, response) => {
      responseCount += 1
      response.end()
    })
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1000))
    await once(socket.resume(), 'close')
    expect(responseCount).toBeLessThan(100)
  })

  it('does not evict connections whose body has arrived', async () => {
    let isComplete = () => false
    await listen(2, (request) => {
      isComplete = () => request.complete
    })
    const busy = await connectAs('9.9.9.1')
    busy.write('0123456789')
    await expect.poll(() => isComplete()).toBe(true)
    const waiting = await connectAs('9.9.9.1')
    const newcomer = await connectAs('9.9.9.2')
    await expect.poll(() => areOpen([busy, waiting, newcomer])).toEqual([true, false, true])
  })
})

describe('upgrades without a key', () => {
  it('are counted for the client that a trusted proxy names', async () => {
    await listen(100, () => undefined)
    const noKeyWatch = { watch: () => () => undefined }
    const limits = { all: 10, perTeam: 10, perAddress: 1 }
    const activity = createSharedActivity()
    const never = new Promise<never>(() => undefined)
    const handler = { matches: () => true, authorize: () => never, stop: () => undefined }
    const router = createUpgradeRouter([handler], {
      log: silentLog,
      connections: createOpenConnections(limits, noKeyWatch),
      clientAddress,
      activity,
    })
    server.on('upgrade', router.upgrade)
    const upgrade = 'GET / HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket'
    const first = await connectAs('9.9.9.1', upgrade, '')
    const second = await connectAs('9.9.9.1', upgrade, '')
    const other = await connectAs('9.9.9.2', upgrade, '')
    const spoofed = await connectAs('8.8.8.8, 9.9.9.1', upgrade, '')
    for (const socket of [first, second, other, spoofed]) socket.resume()
    await expect.poll(() => areOpen([first, second, other, spoofed])).toEqual([true, false, true, false])
    // The main thread is monitored while upgrades are open.
    expect(readActivity(activity.memory)).toEqual({ labels: [], total: 2 })
    for (const socket of [first, other]) socket.destroy()
    await expect.poll(() => readActivity(activity.memory).total).toBe(0)
  })
})
