import { createServer } from 'node:http'
import { isIPv4 } from 'node:net'
import { startService, temporaryFolder } from '../../test/service.ts'
import { MeasureError } from '../figure.ts'
import { processorMs } from '../processor.ts'
import type { ReadingOptions } from './options.ts'

/** Test service and web server of a benchmark part. */
export interface ReadingBench {
  options: ReadingOptions
  /** Returns a host that no page has used before. */
  newHost(): string
  /** Serves a page under a path of the host, and returns its URL. */
  serve(host: string, path: string, html: string): string
  scrape(url: string, formats: unknown[], options?: object): Promise<ScrapeResult>
  /** Returns the processor time that the service has used. */
  processorMs(): number
}

export interface ScrapeResult {
  isOk: boolean
  /** Fields of the returned document; empty if the call failed. */
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

/** Starts a web server on which each address of the loopback network is a separate host. */
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
  if (address === null || typeof address === 'string') throw new MeasureError('no port for the pages.')
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

async function scrape(service: string, body: object): Promise<ScrapeResult> {
  const response = await fetch(`${service}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ onlyMainContent: false, maxAge: 0, timeout: 60_000, ...body }),
  })
  // The cast is safe: the API returns this shape.
  const json = (await response.json()) as { data?: Record<string, unknown>; error?: string }
  const isOk = response.ok && json.data !== undefined
  return { isOk, data: json.data ?? {}, error: isOk ? undefined : `${response.status} ${json.error}` }
}

/** Processes two inputs concurrently: they already use the service fully, so more inputs would not be faster. */
export async function runConcurrently<Input, Output>(
  inputs: readonly Input[],
  work: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const outputs: Output[] = []
  let next = 0
  const loop = async () => {
    for (let index = next++; index < inputs.length; index = next++) {
      // The cast is safe: the index is less than the length.
      outputs[index] = await work(inputs[index] as Input)
    }
  }
  await Promise.all([loop(), loop()])
  return outputs
}
