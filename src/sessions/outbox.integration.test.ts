import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type Outbox, outbox } from './outbox.ts'

let server: WebSocketServer
beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
})
afterAll(() => server.close())

const limits = { megabytes: 16 }
const megabyte = 'x'.repeat(1024 * 1024)

/** A client and what is sent to it. */
async function joined(): Promise<{ client: WebSocket; served: WebSocket; box: Outbox }> {
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [served] = (await once(server, 'connection')) as [WebSocket]
  await once(client, 'open')
  return { client, served, box: outbox(served, limits) }
}

it('brings everything to who reads, in order, however much it is', async () => {
  const { client, box } = await joined()
  const heard: number[] = []
  client.on('message', (text) => heard.push(Number(String(text).slice(0, 3))))
  for (let number = 0; number < 100; number += 1) {
    box.send(`${String(number).padStart(3, '0')}${megabyte}`)
    if (number % 10 === 9) await box.drained()
  }
  await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(100)
  expect(heard).toEqual([...heard].sort((left, right) => left - right))
  client.terminate()
})

it('cuts off who leaves too much unread, and says why', async () => {
  const { client, served, box } = await joined()
  client.pause()
  for (let number = 0; number < 60; number += 1) {
    box.send(megabyte)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(served.readyState).not.toBe(served.OPEN)
  // What was in hand, and no more.
  expect(box.unread()).toBeLessThan(3 * 1024 * 1024)
  client.resume()
  const [code, reason] = await once(client, 'close')
  expect([code, String(reason)]).toEqual([1008, 'Too much data was left unread: CLIENT_UNREAD_MB is 16.'])
})

it('keeps no more than 256 MB for all clients together, and cuts off those with the most', async () => {
  const all: Awaited<ReturnType<typeof joined>>[] = []
  for (let number = 0; number < 40; number += 1) all.push(await joined())
  const [reader, ...others] = all
  for (const { client } of others) client.pause()
  let heard = 0
  reader?.client.on('message', () => {
    heard += 1
  })
  let most = 0
  for (let number = 0; number < 14; number += 1) {
    for (const { box } of all) box.send(megabyte)
    await reader?.box.drained()
    const total = all.reduce((sum, { box }) => sum + box.unread(), 0)
    most = Math.max(most, total)
  }
  // Those who were cut off keep what they had in hand for a moment.
  expect(most).toBeLessThan(350 * 1024 * 1024)
  expect(others.some(({ served }) => served.readyState !== served.OPEN)).toBe(true)
  await expect.poll(() => heard, { timeout: 20_000 }).toBe(14)
  for (const { client } of all) client.terminate()
})
