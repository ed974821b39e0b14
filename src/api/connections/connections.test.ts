import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createSharedActivity, readActivity } from '../../platform/activity.ts'
import { type AddressRule, readAddressRule } from '../../platform/address-rule.ts'
import { silentLog } from '../../platform/log.ts'
import { createClientAddress } from './client-address.ts'
import { boundConnections, type Connections } from './connections.ts'
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
  connections = boundConnections(server, { maxConnections, clientAddress, log: silentLog })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
}

/** Connects through a trusted proxy, which names the client. */
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

const areOpen = (ones: Socket[]) => ones.map((socket) => !socket.destroyed && !socket.readableEnded)

describe('connections at their bound', () => {
  it('are taken from the client that waits for the most bodies', async () => {
    await listen(6, () => undefined)
    const first = await connectAs('9.9.9.1')
    const many = [await connectAs('9.9.9.2'), await connectAs('9.9.9.2'), await connectAs('9.9.9.2')]
    const others = [await connectAs('9.9.9.3'), await connectAs('9.9.9.4')]
    const newcomer = await connectAs('9.9.9.5')
    await expect
      .poll(() => areOpen([first, ...many, ...others, newcomer]))
      .toEqual([true, false, true, true, true, true, true])
  })

  it('are at most half for the bodies of one client', async () => {
    await listen(6, () => undefined)
    const many = [...Array(5).keys()].map(() => () => connectAs('9.9.9.2'))
    const opened: Socket[] = []
    for (const open of many) opened.push(await open())
    await expect.poll(() => areOpen(opened)).toEqual([false, false, true, true, true])
  })

  it('are at most half for one client that sends nothing', async () => {
    await listen(6, (_, response) => void response.end())
    const silent = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
    const opened = [silent]
    sockets.push(silent)
    for (let count = 0; count < 3; count += 1)
      opened.push(await connectAs('127.0.0.1', 'GET / HTTP/1.1', 'a: b'))
    silent.resume()
    await expect.poll(() => areOpen(opened)).toEqual([false, true, true, true])
  })

  it('are counted for the team once its key was checked', async () => {
    await listen(6, (request) => connections.awaitBody(request, `team ${request.headers['x-forwarded-for']}`))
    const one = await connectAs('9.9.9.1')
    const opened: Socket[] = [one]
    for (let count = 0; count < 4; count += 1) opened.push(await connectAs('9.9.9.2'))
    await expect.poll(() => areOpen(opened)).toEqual([true, false, true, true, true])
  })

  it('can be evicted without a key, also while a response is not finished', async () => {
    await listen(3, () => undefined)
    const many = [
      await connectAs('9.9.9.2', 'GET / HTTP/1.1', 'accept: */*'),
      await connectAs('9.9.9.2', 'GET / HTTP/1.1', 'accept: */*'),
    ]
    const others = [await connectAs('9.9.9.3'), await connectAs('9.9.9.4')]
    await expect.poll(() => areOpen([...many, ...others])).toEqual([false, true, true, true])
  })

  it('are not evicted while a call of a team is in progress, and leave room for other teams', async () => {
    const refused: string[] = []
    await listen(20, (request, response) => {
      const team = String(request.headers['x-forwarded-for'])
      try {
        connections.admit(request, response, team)
      } catch {
        refused.push(team)
        response.end()
      }
    })
    const call = (team: string) => connectAs(team, 'GET / HTTP/1.1', 'accept: */*')
    const first: Socket[] = []
    for (let count = 0; count < 11; count += 1) first.push(await call('9.9.9.1'))
    expect(refused).toEqual(['9.9.9.1'])
    for (let count = 0; count < 4; count += 1) await call('9.9.9.2')
    expect(refused).toEqual(['9.9.9.1', '9.9.9.2'])
    await call('9.9.9.3')
    expect(refused).toHaveLength(2)
    expect(areOpen(first.slice(0, 10))).toEqual(Array(10).fill(true))
  })

  it('count a call when its body has arrived, so that unfinished bodies keep no other team out', async () => {
    const refused: string[] = []
    await listen(20, (request, response) => {
      const team = String(request.headers['x-forwarded-for'])
      connections.admit(request, response, team)
      connections.awaitBody(request, team)
      request.resume().once('end', () => {
        try {
          connections.useAgain(request)
        } catch {
          refused.push(team)
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
      await expect.poll(() => refused).toEqual(['9.9.9.3'])
    }
    expect(areOpen(third)).toEqual(Array(11).fill(true))
  })

  it('end when a client sends many requests without waiting for responses', async () => {
    let answered = 0
    await listen(20, (_, response) => {
      answered += 1
      response.end()
    })
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1000))
    await once(socket.resume(), 'close')
    expect(answered).toBeLessThan(100)
  })

  it('do not include those whose body has arrived', async () => {
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
    const taker = { takes: () => true, admit: () => never, stop: () => undefined }
    const taken = createUpgradeRouter([taker], {
      log: silentLog,
      connections: createOpenConnections(limits, noKeyWatch),
      clientAddress,
      activity,
    })
    server.on('upgrade', taken.upgrade)
    const upgrade = 'GET / HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket'
    const first = await connectAs('9.9.9.1', upgrade, '')
    const same = await connectAs('9.9.9.1', upgrade, '')
    const other = await connectAs('9.9.9.2', upgrade, '')
    const invented = await connectAs('8.8.8.8, 9.9.9.1', upgrade, '')
    for (const socket of [first, same, other, invented]) socket.resume()
    await expect.poll(() => areOpen([first, same, other, invented])).toEqual([true, false, true, false])
    // The main thread is watched while they are open.
    expect(readActivity(activity.memory)).toEqual({ labels: [], total: 2 })
    for (const socket of [first, other]) socket.destroy()
    await expect.poll(() => readActivity(activity.memory).total).toBe(0)
  })
})
