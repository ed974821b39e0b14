import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import { WebSocket, WebSocketServer } from 'ws'
import { addLiveRoute } from '../../src/api/plain-routes.ts'
import { AppError } from '../../src/platform/errors.ts'
import type { LiveView } from '../../src/sessions/live-view/live-view.ts'

/** Starts a site with pages to view. */
export async function startLiveSite(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(documents[request.url ?? ''] ?? `<title>${request.url}</title>`)
  })
  return { url: await listen(server), stop: () => void server.close() }
}

const documents: Record<string, string> = {
  '/form': `<title>form</title><body style="margin:0;height:3000px;background:#fff">
    <input id="name" style="position:absolute;left:300px;top:80px;width:300px;height:40px">
    <button id="go" style="position:absolute;left:300px;top:160px;width:200px;height:60px"
      onclick="document.title = 'Hello ' + document.querySelector('#name').value">Go</button>`,
  '/red': '<body style="background:#f00">',
  '/moving': `<body><div style="width:300px;height:300px;background:#00f;animation:a 1s linear infinite"></div>
    <style>@keyframes a { to { transform: translateX(600px) } }</style>`,
  '/flicker': `<body><script>let count = 0
    const paint = () => { count += 1
      document.body.style.background = count === 61 ? '#f00' : count % 2 ? '#0f0' : '#00f'
      if (count < 61) requestAnimationFrame(paint) }
    paint()</script>`,
}

/** Opens a server with the live view route, which accepts one session and two tokens. */
export async function openLiveServer(live: () => LiveView): Promise<FastifyInstance> {
  const fastify = Fastify({ forceCloseConnections: true })
  const tokens: Record<string, string> = { view: 'view', control: 'control' }
  addLiveRoute(fastify, {
    async locate({ token, purpose }) {
      const message = 'The token does not "fit" <this>.'
      if (!tokens[token]) throw new AppError('UNAUTHORIZED', {}, { message })
      if (tokens[token] !== purpose) throw new AppError('FORBIDDEN')
    },
  })
  const sockets = new WebSocketServer({ noServer: true })
  fastify.server.on('upgrade', (request, socket, head) => {
    const isInteractive = request.url?.endsWith('interactive=true') ?? false
    sockets.handleUpgrade(request, socket, head, (opened) => live().attach(opened, { isInteractive }))
  })
  return fastify
}

export async function positionOf(
  view: Page,
  page: Page,
  selector: string,
): Promise<{ x: number; y: number }> {
  const target = (await page.locator(selector).boundingBox()) ?? failed()
  const canvas = (await view.locator('canvas').boundingBox()) ?? failed()
  const width = await page.evaluate(() => innerWidth)
  const scale = canvas.width / width
  return {
    x: canvas.x + (target.x + target.width / 2) * scale,
    y: canvas.y + (target.y + target.height / 2) * scale,
  }
}

export async function clickOn(view: Page, page: Page, selector: string): Promise<void> {
  const { x, y } = await positionOf(view, page, selector)
  await view.mouse.click(x, y)
}

/** Returns the colour in the middle of the canvas as text. */
export function centreColour(view: Page): Promise<string> {
  return view.evaluate(() => {
    const canvas = document.querySelector('canvas')
    const pixel = canvas?.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data
    const [red = 0, green = 0, blue = 0] = pixel ?? []
    return red > 200 && green < 60 && blue < 60 ? 'red' : `${red > 200} ${green > 200} ${blue > 200}`
  })
}

export function watcher(liveUrl: string): { socket: WebSocket; pictures(): number } {
  const socket = new WebSocket(`${liveUrl.replace('http', 'ws')}?token=view`)
  let count = 0
  socket.on('message', (_, isBinary) => {
    if (isBinary) count += 1
  })
  return { socket, pictures: () => count }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function failed(): never {
  throw new Error('it is not there')
}
