import { createServer } from 'node:http'
import { isIPv4 } from 'node:net'
import { startService, temporaryFolder } from '../../test/service.ts'
import { CannotMeasure } from '../figure.ts'
import { processorMs } from '../processor.ts'
import type { ReadingOptions } from './options.ts'

/** A service and a web for it to read; what a part measures with. */
export interface ReadingBench {
  options: ReadingOptions
  /** Returns a host that no page has used before. */
  newHost(): string
  /** Serves the page under the path of the host and answers its address. */
  serve(host: string, path: string, html: string): string
  scrape(url: string, formats: unknown[], options?: object): Promise<Answer>
  /** Processor time that the service has used so far. */
  processorMs(): number
}

export interface Answer {
  isOk: boolean
  /** Of the document that the service answers; empty when it failed. */
  data: Record<string, unknown>
  error: string | undefined
}

const key = 'fc-bench-key'

export async function withBench<Result>(
  options: ReadingOptions,
  work: (bench: ReadingBench) => Promise<Result>,
): Promise<Result> {
  const folder = temporaryFolder()
  const web = await startWeb()
  const service = await startService({
    ...{ DATA_DIR: folder.path, API_KEY: key, ALLOW_PRIVATE_NETWORK: '127.0.0.0/8' },
    ...{ RATE_PER_MINUTE: '1000000', CHECK_RESPONSES: 'off', LOG_LEVEL: 'warn' },
  })
  try {
    return await work({
      options,
      newHost: web.newHost,
      serve: web.serve,
      scrape: (url, formats, more) => scrape(service.url, { url, formats, ...more }),
      processorMs: () => processorMs(service.process.pid ?? 0),
    })
  } finally {
    await service.stop()
    await web.stop()
    folder.remove()
  }
}

/** Every address of the loopback network is a host of its own. */
async function startWeb() {
  const pages = new Map<string, string>()
  const server = createServer((request, response) => {
    const html =
      isLoopback(request.socket.remoteAddress) && pages.get(`${request.headers.host}${request.url}`)
    if (html) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new CannotMeasure('no port for the pages.')
  let hosts = 0
  return {
    newHost() {
      hosts += 1
      return `127.1.${Math.floor(hosts / 250)}.${1 + (hosts % 250)}:${address.port}`
    },
    serve(host: string, path: string, html: string) {
      const url = new URL(path, `http://${host}`)
      pages.set(`${url.host}${url.pathname}${url.search}`, html)
      return url.href
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && isIPv4(address) && address.startsWith('127.')
}

async function scrape(service: string, body: object): Promise<Answer> {
  const response = await fetch(`${service}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ onlyMainContent: false, maxAge: 0, timeout: 60_000, ...body }),
  })
  // The shape that the API answers.
  const answer = (await response.json()) as { data?: Record<string, unknown>; error?: string }
  const isOk = response.ok && answer.data !== undefined
  return { isOk, data: answer.data ?? {}, error: isOk ? undefined : `${response.status} ${answer.error}` }
}

/** Two at a time: the service has more to do than to wait. */
export async function inTurn<Input, Output>(
  inputs: readonly Input[],
  work: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const outputs: Output[] = []
  let next = 0
  const loop = async () => {
    for (let place = next++; place < inputs.length; place = next++) {
      // The place is below the length.
      outputs[place] = await work(inputs[place] as Input)
    }
  }
  await Promise.all([loop(), loop()])
  return outputs
}
