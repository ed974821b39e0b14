import { once } from 'node:events'
import { Agent, request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { ProxyAgent, request, WebSocket } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { connectThrough, getThrough } from '../../../../test/servers/proxy-client.ts'
import { kept, rawSite, site, startEgressTo, stopResources } from '../../../../test/servers/proxy-scene.ts'
import { startEchoSocket } from '../../../../test/servers/proxy-site.ts'
import { startTlsSite } from '../../../../test/site/site.ts'

afterEach(stopResources)

const emptyResponse = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

function keepAliveAgent(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  kept({ stop: () => agent.destroy() })
  return agent
}

describe('plain requests', () => {
  it('reach the site in origin form, with their own headers and without proxy headers', async () => {
    const { port, url, requests } = await site()
    const proxy = await startEgressTo([port])
    await getThrough(proxy, `${url}/article?a=1`, {
      headers: { 'proxy-connection': 'keep-alive', 'proxy-authorization': 'Basic eA==', 'x-own': 'yes' },
    })
    const [received] = requests
    expect(received).toMatchObject({
      path: '/article?a=1',
      headers: { host: `127.0.0.1:${port}`, 'x-own': 'yes' },
    })
    expect(Object.keys(received?.headers ?? {}).filter((name) => name.startsWith('proxy-'))).toEqual([])
  })

  it('forward a body of 300,000 bytes', async () => {
    const { port, url, requests } = await site()
    const body = 'x'.repeat(300_000)
    await getThrough(await startEgressTo([port]), `${url}/article`, { method: 'POST', body })
    expect(requests[0]?.body.length).toBe(body.length)
  })

  it('return the headers of the response with both cookies, but without hop-by-hop headers', async () => {
    const head =
      'HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Hop: 1\r\nConnection: close, x-hop\r\n'
    const { port } = await rawSite((socket) => socket.end(`${head}X-Winnow-Refused: FORGED\r\n\r\nbody`))
    const response = await getThrough(await startEgressTo([port]), `http://127.0.0.1:${port}/`)
    expect(response).toMatchObject({ status: 200, body: 'body', headers: { 'set-cookie': ['a=1', 'b=2'] } })
    expect(Object.keys(response.headers).filter((name) => name.startsWith('x-'))).toEqual([])
  })

  it('return the headers of a response before its end', async () => {
    const { port } = await rawSite((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'),
    )
    const { hostname, port: proxyPort } = new URL(await startEgressTo([port]))
    const request = send({ hostname, port: proxyPort, path: `http://127.0.0.1:${port}/` }).end()
    const [response] = await once(request, 'response')
    expect(response.headers['content-type']).toBe('text/event-stream')
    request.destroy()
  })

  it('fail if the site closes the connection before the end of the body', async () => {
    const { port } = await rawSite((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    )
    await expect(getThrough(await startEgressTo([port]), `http://127.0.0.1:${port}/`)).rejects.toThrow(
      'aborted',
    )
  })

  it('drop the upgrade header', async () => {
    const { port, url, requests } = await site()
    await getThrough(await startEgressTo([port]), `${url}/article`, {
      headers: { connection: 'Upgrade', upgrade: 'websocket' },
    })
    expect(requests[0]?.headers).not.toHaveProperty('upgrade')
  })

  it('share one connection to the site while they share one to the proxy', async () => {
    const { port, connections } = await rawSite((socket) =>
      socket.on('data', () => socket.write(emptyResponse)),
    )
    const proxy = await startEgressTo([port])
    const agent = keepAliveAgent()
    for (const path of ['one', 'two', 'three'])
      await getThrough(proxy, `http://127.0.0.1:${port}/${path}`, { agent })
    expect(connections()).toBe(1)
    await getThrough(proxy, `http://127.0.0.1:${port}/`)
    expect(connections()).toBe(2)
  })

  it('fail on a dead kept-alive connection, so that the browser repeats them', async () => {
    const { port } = await rawSite((socket) => {
      socket.once('data', () =>
        socket.write(emptyResponse, () => socket.once('data', () => socket.resetAndDestroy())),
      )
    })
    const proxy = await startEgressTo([port])
    const agent = keepAliveAgent()
    await getThrough(proxy, `http://127.0.0.1:${port}/`, { agent })
    await expect(getThrough(proxy, `http://127.0.0.1:${port}/`, { agent })).rejects.toThrow('socket hang up')
    expect((await getThrough(proxy, `http://127.0.0.1:${port}/`)).status).toBe(200)
  })

  it('are served 200 at the same time', async () => {
    const { port, url } = await site()
    const proxy = await startEgressTo([port])
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => getThrough(proxy, `${url}/article`)),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(200)
  })
})

describe('tunnels', () => {
  it('carry TLS to the site', async () => {
    const { port, certificate, url } = kept(await startTlsSite())
    const dispatcher = new ProxyAgent({ uri: await startEgressTo([port]), requestTls: { ca: certificate } })
    kept({ stop: () => dispatcher.destroy() })
    const response = await request(`${url}/article`, { dispatcher })
    expect(response.statusCode).toBe(200)
    expect(await response.body.text()).toContain('<h1>')
  })

  it('present the requested host name to the site', async () => {
    const { port, certificate } = kept(await startTlsSite())
    const proxy = await startEgressTo([port], async () => ['127.0.0.1'])
    const { socket } = await connectThrough(proxy, `localhost:${port}`)
    const secure = connectTls({ socket, ca: certificate, servername: 'localhost' })
    await once(secure, 'secureConnect')
    expect(secure.authorized).toBe(true)
    secure.destroy()
  })

  it('carry a WebSocket', async () => {
    const { port } = kept(await startEchoSocket())
    const dispatcher = new ProxyAgent({ uri: await startEgressTo([port]), proxyTunnel: true })
    kept({ stop: () => dispatcher.destroy() })
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { dispatcher })
    await once(socket, 'open')
    socket.send('hello')
    const [message] = await once(socket, 'message')
    expect(message.data).toBe('hello')
    socket.close()
  })

  it('still receive after the client has ended its side', async () => {
    const { port } = await rawSite(async (socket) => socket.end(`heard ${await text(socket)}`))
    const { socket } = await connectThrough(await startEgressTo([port]), `127.0.0.1:${port}`)
    socket.end('everything')
    expect(await text(socket)).toBe('heard everything')
  })

  it('forward 20 MB to a slow reader without loss', async () => {
    const { port } = await rawSite((socket) => socket.end(Buffer.alloc(20_000_000, 'x')))
    const { socket } = await connectThrough(await startEgressTo([port]), `127.0.0.1:${port}`)
    socket.end()
    expect((await text(socket)).length).toBe(20_000_000)
  })

  it('forward a reset', async () => {
    const { port } = await rawSite((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const { socket } = await connectThrough(await startEgressTo([port]), `127.0.0.1:${port}`)
    socket.write('x')
    await expect(once(socket, 'close')).rejects.toThrow('ECONNRESET')
  })
})
