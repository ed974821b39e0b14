import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEgress } from '../../src/fetch/network/egress/egress.ts'
import { defaultEgressLimits } from '../../src/fetch/network/egress/sockets.ts'
import { createGuard } from '../../src/fetch/network/guard.ts'
import { readAddressRule } from '../../src/platform/address-rule.ts'
import { silentLog } from '../../src/platform/log.ts'
import { docx } from '../../test/documents/office.ts'
import { pdf } from '../../test/documents/pdf.ts'
import { picture } from '../../test/documents/post.ts'
import { connectThrough } from '../../test/servers/proxy-client.ts'
import type { Scene } from './scene.ts'

/** Resource that all teams share. One team uses as much of it as it can, while another makes small calls. */
export interface Pool {
  name: string
  /** Resolves when the resource is full, to a function that releases it. */
  fill(scene: Scene): Promise<() => Promise<unknown> | unknown>
  /** Makes a small call of the modest team that needs the resource. */
  runSmallCall(scene: Scene): Promise<unknown>
}

const lines = Array.from({ length: 60 }, (_, line) => ({ text: 'A line of words', y: 50 + line * 12 }))
const longFile = pdf(Array.from({ length: 2000 }, () => ({ lines })))
const smallFile = docx()

export const converters: Pool = {
  name: 'converters: a small file beside files that take minutes',
  fill: (scene) => parseAll(scene, Array(8).fill(longFile), {}),
  runSmallCall: (scene) => parse(scene, 'modest', smallFile),
}

export const recognisers: Pool = {
  name: 'recognisers: a picture beside long scans',
  // OCR is forced, so every page occupies a recognition process.
  fill: (scene) => parseAll(scene, Array(8).fill(longFile), { mode: 'ocr' }),
  async runSmallCall(scene) {
    smallPicture ??= await picture()
    return parse(scene, 'modest', smallPicture)
  },
}
let smallPicture: Buffer | undefined

export const readerThreads: Pool = {
  name: 'reader threads: an article beside pages that take seconds to read',
  async fill(scene) {
    const html = `<title>Links</title>${'<p><a href="/a">a link</a> &amp; words</p>'.repeat(150_000)}`
    const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    // The cast is safe: a listening TCP server has an address object; only pipes have a string.
    const { port } = server.address() as AddressInfo
    let isOver = false
    const loop = async () => {
      while (!isOver)
        await scene.greedy('POST', '/v2/scrape', { url: `http://127.0.0.1:${port}/`, maxAge: 0 })
    }
    const loops = Array.from({ length: 6 }, loop)
    await sleep(2000)
    return async () => {
      isOver = true
      await Promise.all(loops)
      server.close()
    }
  },
  runSmallCall: (scene) =>
    scene.modest('POST', '/v2/scrape', { url: `${scene.site.url}/article`, maxAge: 0 }),
}

export const backgroundPages: Pool = {
  name: 'background pages: a batch of one beside pages that never come',
  async fill(scene) {
    const silentServer = await startSilent()
    const urls = Array.from({ length: 200 }, (_, index) => `${silentServer.url}/${index}`)
    const { id } = await scene.greedy('POST', '/v2/batch/scrape', { urls, timeout: 300_000, maxAge: 0 })
    while ((await scene.greedy('GET', '/v2/concurrency-check')).concurrency < 60) await sleep(50)
    return async () => {
      await scene.greedy('DELETE', `/v2/batch/scrape/${id}`)
      silentServer.stop()
    }
  },
  async runSmallCall(scene) {
    const urls = [`${scene.site.url}/article`]
    const { id } = await scene.modest('POST', '/v2/batch/scrape', { urls, maxAge: 0 })
    while ((await scene.modest('GET', `/v2/batch/scrape/${id}`)).status === 'scraping') await sleep(5)
  },
}

export const deliveries: Pool = {
  name: 'deliveries: a webhook beside a thousand that nobody answers',
  async fill(scene) {
    const silentServers = await Promise.all(Array.from({ length: 6 }, startSilent))
    for (let index = 0; index < 1000; index += 1) {
      const url = silentServers[index % silentServers.length]?.url
      await scene.greedy('POST', '/v2/webhooks/test', { webhook: { url } })
    }
    return () => {
      for (const { stop } of silentServers) stop()
    }
  },
  async runSmallCall(scene) {
    receiver ??= await startReceiver()
    const { url, waitForRequest } = receiver
    const arrived = waitForRequest()
    await scene.modest('POST', '/v2/webhooks/test', { webhook: { url } })
    await arrived
  },
}
let receiver: Awaited<ReturnType<typeof startReceiver>> | undefined

const rule = readAddressRule('127.0.0.1')
const egress = createEgress({ guard: createGuard(rule ? [rule] : []), log: silentLog })
let target: Awaited<ReturnType<typeof startSilent>> | undefined

export const egressSockets: Pool = {
  name: 'egress sockets: a connection beside all that there are',
  async fill() {
    target ??= await startSilent()
    const exit = await egress.exit({ team: 'greedy', upstream: undefined })
    const tunnels: Socket[] = []
    for (let open = 0; open < defaultEgressLimits.sockets / 2; open += 1)
      tunnels.push(await openTunnel(exit.url))
    return () => {
      for (const socket of tunnels) socket.destroy()
    }
  },
  async runSmallCall() {
    target ??= await startSilent()
    const exit = await egress.exit({ team: 'modest', upstream: undefined })
    const socket = await openTunnel(exit.url)
    socket.destroy()
    exit.release()
  },
}

async function openTunnel(proxy: string): Promise<Socket> {
  const { status, socket } = await connectThrough(proxy, new URL(target?.url ?? '').host)
  if (status !== 200) throw new Error(`A tunnel was answered ${status}.`)
  socket.on('error', () => {})
  return socket
}

/** Parses files of the greedy team. Resolves when all of them are in progress. */
async function parseAll(scene: Scene, files: Buffer[], parser: object): Promise<() => void> {
  const disconnect = new AbortController()
  for (const file of files) parse(scene, 'greedy', file, parser, disconnect.signal).catch(() => undefined)
  while ((await scene.greedy('GET', '/v2/concurrency-check')).concurrency < files.length) await sleep(50)
  return () => disconnect.abort()
}

async function parse(
  scene: Scene,
  team: 'greedy' | 'modest',
  file: Buffer,
  parser: object = {},
  signal?: AbortSignal,
): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(file)]), 'file')
  form.append('options', JSON.stringify({ timeout: 300_000, parsers: [{ type: 'pdf', ...parser }] }))
  const response = await fetch(`${scene.url}/v2/parse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.keys[team]}` },
    body: form,
    ...(signal ? { signal } : {}),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
}

/** Starts a server that accepts connections and never responds. */
async function startSilent() {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  // The cast is safe: a listening TCP server has an address object; only pipes have a string.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

async function startReceiver() {
  let onRequest = () => {}
  const server = createServer((_, response) => {
    response.end()
    onRequest()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const waitForRequest = () =>
    new Promise<void>((resolve) => {
      onRequest = resolve
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, waitForRequest }
}
