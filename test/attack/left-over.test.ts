import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { until } from '../servers/until.ts'
import { descendants } from '../sessions.ts'
import { send } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { addTableRow, attackClass } from './attack.ts'

/** Folder for temporary files that only the services of this file use. */
const temporary = mkdtempSync(join(tmpdir(), 'left-over-'))
let site: Site
let own: OwnService
beforeAll(async () => {
  site = await startSite({
    routes: { '/silence': ({ response }) => send(response, { 'content-type': 'audio/wav' }, silence()) },
  })
  own = await startOwnService({ TMPDIR: temporary })
})
afterAll(async () => {
  await own.remove()
  await site.stop()
  rmSync(temporary, { recursive: true, force: true })
})

/** Returns temporary files of uploads, converters and browsers, which must not exist while no work is in progress. */
function leftoverPaths(): string[] {
  return listAll().filter((path) => /winnow-(?:upload|audio|document|ocr|chromium)/.test(path))
}

function listAll(): string[] {
  for (;;) {
    try {
      return readdirSync(temporary, { recursive: true, encoding: 'utf8' })
    } catch (thrown) {
      // A folder was deleted during the listing.
      if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')) throw thrown
    }
  }
}

/** Returns files and folders of services and their programs. The compile cache is kept on purpose. */
const entries = () => readdirSync(temporary).filter((name) => !name.startsWith('winnow-compiled-'))

const openFiles = (pid: number) => readdirSync(`/proc/${pid}/fd`).length

function uploadHeader(length: number, boundary = 'x'): string {
  return [
    'POST /v2/parse HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${own.key}`,
    `content-type: multipart/form-data; boundary=${boundary}`,
    `content-length: ${length}`,
    '',
    '',
  ].join('\r\n')
}

const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.html"\r\n\r\n'

/** Sends the start of an upload, then disconnects. */
async function sendAndLeave(
  bytes: string | Buffer,
  how: 'reset' | 'end' | 'destroy',
  afterMs: number,
): Promise<void> {
  const { hostname, port } = new URL(own.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  if (how === 'reset') socket.resetAndDestroy()
  else if (how === 'end') socket.end()
  else socket.destroy()
}

const cuts = [
  0,
  1,
  20,
  part.length - 1,
  part.length,
  part.length + 1,
  part.length + 70_000,
  part.length + 900_000,
]
const uploadBytes = Buffer.from(`${part}${'a'.repeat(1_000_000)}`)

attackClass({
  name: 'left-over: uploads that are broken off',
  vectors: cuts.flatMap((cut) =>
    (['reset', 'end', 'destroy'] as const).flatMap((how) =>
      [0, 2, 30].map((afterMs) => ({ cut, how, afterMs })),
    ),
  ),
  concurrency: 6,
  run: async ({ cut, how, afterMs }) => {
    await sendAndLeave(
      Buffer.concat([Buffer.from(uploadHeader(2_000_000)), uploadBytes.subarray(0, cut)]),
      how,
      afterMs,
    )
    return undefined
  },
})

it('withstands left-over: folders and open files of aborted uploads', async () => {
  const before = openFiles(own.process.pid ?? 0)
  for (let round = 0; round < 30; round += 1)
    await sendAndLeave(
      Buffer.concat([Buffer.from(uploadHeader(2_000_000)), uploadBytes.subarray(0, 500_000)]),
      'reset',
      5,
    )
  const opened = await until('the closing of all files', 10_000, async () => {
    const newlyOpen = openFiles(own.process.pid ?? 0) - before
    return newlyOpen < 10 ? newlyOpen : undefined
  })
  expect(opened).toBeLessThan(10)
  // Some uploads may still be arriving. Every one must be removed in the end.
  await until('the end of all uploads', 10_000, async () => (leftoverPaths().length === 0 ? true : undefined))
})

it('withstands left-over: converters that are killed', { timeout: 60_000 }, async () => {
  const upload = parse(await noise(), 'scan.png')
  const converter = await until('a converter at work', 20_000, async () =>
    descendants(own.process.pid ?? 0).find(
      ({ command }) => /documents.worker/.test(command) && leftoverPaths().length > 0,
    ),
  )
  process.kill(-converter.id, 'SIGKILL')
  expect((await upload).status).toBe(422)
  await until('empty folders', 10_000, async () => (leftoverPaths().length === 0 ? true : undefined))
})

it('withstands left-over: ffmpeg that is killed', { timeout: 60_000 }, async () => {
  const scrape = own.call('POST', '/v2/scrape', {
    body: { url: `${site.url}/silence`, formats: ['audio'], maxAge: 0 },
  })
  const ffmpeg = await until('ffmpeg', 20_000, async () =>
    descendants(own.process.pid ?? 0).find(({ command }) => command.includes('ffmpeg')),
  ).catch(() => undefined)
  if (ffmpeg) process.kill(ffmpeg.id, 'SIGKILL')
  await scrape
  expect(leftoverPaths()).toEqual([])
})

it('withstands left-over: a killed service next to a running one', {
  timeout: 120_000,
}, async () => {
  const killed = await startOwnService({ TMPDIR: temporary })
  // The browser of the killed service leaves folders too, under other names.
  await killed.call('POST', '/v2/scrape', { body: { url: `${site.url}/pages/1`, waitFor: 1 } })
  const image = await noise()
  const onRunning = parseAt(own, image, 'scan.png')
  const onKilled = parseAt(killed, image, 'scan.png').catch(() => undefined)
  await until('work of both', 20_000, async () => (leftoverPaths().length >= 2 ? true : undefined))
  const before = entries()
  await killed.kill()
  await onKilled
  expect(entries()).toEqual(before)
  const foreign = join(temporary, 'winnow-of-somebody-else')
  mkdirSync(foreign)
  writeFileSync(join(foreign, 'file'), 'x')
  const next = await startOwnService({ TMPDIR: temporary })
  const after = await until('a sweep', 20_000, async () => {
    const names = entries()
    return names.length <= 3 ? names : undefined
  })
  addTableRow({ name: 'left-over: a service that is killed', vectors: 1, hits: after.length > 3 ? 1 : 0 })
  // The folders of the running service and of the new service, and the foreign folder.
  expect(after.length).toBe(3)
  expect(after).toContain('winnow-of-somebody-else')
  expect((await onRunning).status).toBe(200)
  await next.stop()
  expect(entries().length).toBe(2)
  await next.remove()
})

/** Returns an image with specks everywhere and no words, for which OCR needs several seconds. */
async function noise(): Promise<Uint8Array<ArrayBuffer>> {
  const [width, height] = [1600, 1200]
  const pixels = Buffer.from(
    Array.from({ length: width * height }, (_, index) => ((index * 7919) % 251) * ((index >> 3) % 2)),
  )
  return new Uint8Array(
    await sharp(pixels, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer(),
  )
}

/** Returns two minutes of silence as WAV. */
function silence(): Buffer {
  const bytes = 20_000_000
  const header = Buffer.alloc(44)
  header.write('RIFF')
  header.writeUInt32LE(bytes + 36, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(2, 22)
  header.writeUInt32LE(44_100, 24)
  header.writeUInt32LE(176_400, 28)
  header.writeUInt16LE(4, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes, 40)
  return Buffer.concat([header, Buffer.alloc(bytes)])
}

const parse = (bytes: Uint8Array<ArrayBuffer>, name: string) => parseAt(own, bytes, name)

function parseAt(service: OwnService, bytes: Uint8Array<ArrayBuffer>, name: string) {
  const body = new FormData()
  body.append('file', new Blob([bytes]), name)
  const headers = { authorization: `Bearer ${service.key}` }
  return fetch(`${service.url}/v2/parse`, { method: 'POST', headers, body })
}
