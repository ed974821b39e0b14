import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/servers/until.ts'
import { readPage } from '../../content/content.ts'
import { audioCandidates } from '../../extraction/page-parts/media.ts'
import { createHttpClient } from '../../fetch/network/client.ts'
import { createGuard } from '../../fetch/network/guard.ts'
import { readAddressRule } from '../../platform/address-rule.ts'
import { createAudio } from './audio.ts'

const ffmpeg = ['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg', '/opt/homebrew/bin/ffmpeg'].find(existsSync)
const skipNote = ffmpeg === undefined ? ' (skipped: there is no ffmpeg on this machine)' : ''

const rule = readAddressRule('127.0.0.1')
const client = createHttpClient(createGuard(rule ? [rule] : []))
afterAll(() => client.close())

const folder = mkdtempSync(join(tmpdir(), 'winnow-audio-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A frame of MPEG 1 layer III, 128 kb/s at 44.1 kHz. */
const mp3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)])
const files = new Map<string, { type: string; bytes: Buffer }>([
  ['/tone.wav', { type: 'audio/wav', bytes: wav(1) }],
  ['/tone.mp3', { type: 'audio/mpeg', bytes: mp3 }],
  ['/login.mp3', { type: 'text/html', bytes: Buffer.from('<p>Sign in</p>') }],
])

let server: Server
let origin: string
let requestedPaths: string[]
beforeAll(async () => {
  server = createServer((request, response) => {
    requestedPaths.push(request.url ?? '')
    const file = files.get(request.url ?? '')
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an object as its address.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  requestedPaths = []
})

const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

function makeFrom(html: string, program: string | undefined, signal = new AbortController().signal) {
  const page = pageOf(Buffer.from(html), 'text/html')
  return createAudio(depsFor(program), page, audioCandidates(readPage(page, options)), signal)
}

function makeOf(bytes: Buffer, contentType: string, program = ffmpeg, signal = new AbortController().signal) {
  return createAudio(depsFor(program), pageOf(bytes, contentType), [], signal)
}

const depsFor = (program: string | undefined) => ({
  client,
  ffmpeg: program,
  owner: { team: 'team', job: 'job' },
  verifyTls: true,
  upstream: undefined,
})

function pageOf(bytes: Buffer, contentType: string) {
  const url = `${origin}/page`
  return {
    requestedUrl: url,
    url,
    status: 200,
    headers: { 'content-type': contentType },
    bytes,
    fetchedAt: 0,
  }
}

/** Seconds of a tone as 16-bit PCM, one channel, 8 kHz. */
function wav(seconds: number): Buffer {
  const samples = 8000 * seconds
  const bytes = Buffer.alloc(44 + samples * 2)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples * 2, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(8000, 24)
  bytes.writeUInt32LE(16_000, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples * 2, 40)
  for (let index = 0; index < samples; index += 1) {
    bytes.writeInt16LE(Math.round(8000 * Math.sin(index / 3)), 44 + index * 2)
  }
  return bytes
}

function isMp3(bytes: Uint8Array): boolean {
  const hasTag = Buffer.from(bytes.subarray(0, 3)).toString('latin1') === 'ID3'
  return hasTag || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)
}

describe('createAudio without conversion', () => {
  it('returns an MP3 unchanged', async () => {
    const audio = await makeFrom('<audio src="/tone.mp3"></audio>', undefined)
    expect(audio).toEqual({ bytes: mp3, mediaType: 'audio/mpeg' })
  })

  it('returns the page itself if the page is an MP3', async () => {
    expect(await makeOf(mp3, 'audio/mpeg', undefined)).toMatchObject({ bytes: mp3 })
    expect(requestedPaths).toEqual([])
  })

  it('recognizes an MP3 after an ID3 tag with padding', async () => {
    const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 2, ...Array<number>(130 + 20).fill(0)])
    const tagged = Buffer.concat([tag, mp3])
    expect(await makeOf(tagged, 'audio/mpeg', undefined)).toMatchObject({ bytes: tagged })
  })

  it('tries the next candidate if a likelier one fails', async () => {
    const html = '<audio src="/missing.mp3"></audio><a href="/login.mp3">x</a><a href="/tone.mp3">y</a>'
    expect(await makeFrom(html, undefined)).toMatchObject({ bytes: mp3 })
    expect(requestedPaths).toEqual(['/missing.mp3', '/login.mp3', '/tone.mp3'])
  })

  it('prefers an MP3 over likelier candidates without ffmpeg', async () => {
    const html = '<audio src="/tone.wav"></audio><a href="/tone.mp3">x</a>'
    expect(await makeFrom(html, undefined)).toMatchObject({ bytes: mp3 })
    expect(requestedPaths).toEqual(['/tone.mp3'])
  })
})

describe('reason for missing audio', () => {
  it.each([
    ['nothing is on the page', '<p>text</p>', 'need a special extractor are not supported'],
    ['the file is gone', '<audio src="/missing.mp3">', 'status 404'],
    ['nothing converts it', '<audio src="/tone.wav">', 'no ffmpeg is configured'],
    ['its address is private', '<audio src="http://10.0.0.1/a.mp3">', 'does not contact it'],
  ])('is reported: %s', async (_, html, reason) => {
    expect(await makeFrom(html, undefined)).toEqual({ reason: expect.stringContaining(reason) })
  })

  it('reports that ffmpeg could not be started', async () => {
    expect(await makeFrom('<audio src="/tone.wav">', join(folder, 'absent'))).toEqual({
      reason: expect.stringContaining('could not be started'),
    })
  })
})

describe.skipIf(ffmpeg === undefined)(`converting${skipNote}`, () => {
  it('converts WAV to MP3', async () => {
    const audio = await makeFrom('<audio src="/tone.wav"></audio>', ffmpeg)
    const bytes = 'bytes' in audio ? audio.bytes : new Uint8Array()
    expect(isMp3(bytes)).toBe(true)
    // One second at 128 kb/s.
    expect(bytes.length).toBeGreaterThan(8000)
  })

  it('converts a file with its index at the end', async () => {
    const path = join(folder, 'tone.m4a')
    writeFileSync(join(folder, 'tone.wav'), wav(1))
    spawnSync(ffmpeg ?? '', ['-nostdin', '-y', '-i', join(folder, 'tone.wav'), '-c:a', 'aac', path])
    const audio = await makeOf(readFileSync(path), 'audio/mp4')
    expect('bytes' in audio && isMp3(audio.bytes)).toBe(true)
  })

  it('returns a reason for a file without audio', async () => {
    expect(await makeOf(Buffer.from('no sound at all'), 'audio/wav')).toEqual({
      reason: expect.stringContaining('a format that cannot be converted'),
    })
  })

  const hls = (...lines: string[]) =>
    ['#EXTM3U', '#EXT-X-TARGETDURATION:1', ...lines, '#EXT-X-ENDLIST', ''].join('\n')
  const piece = (url: string) => `#EXTINF:1,\n${url}`
  it.each([
    ['HLS to a server', (server: string) => hls(piece(`${server}/secret.ts`))],
    ['HLS to a recording on this machine', (_: string, local: string) => hls(piece(`file://${local}`))],
    ['HLS to any file', () => hls(piece('file:///etc/passwd'))],
    [
      'HLS with a key',
      (server: string, local: string) => hls(`#EXT-X-KEY:METHOD=AES-128,URI="${server}/key"`, piece(local)),
    ],
    ['a script', (server: string) => `ffconcat version 1.0\nfile '${server}/secret.ts'\n`],
    ['a script to this machine', (_: string, local: string) => `ffconcat version 1.0\nfile '${local}'\n`],
  ])('does not fetch URLs of a crafted playlist: %s', async (_, write) => {
    const local = join(folder, 'secret.ts')
    spawnSync(ffmpeg ?? '', ['-nostdin', '-y', '-f', 'lavfi', '-i', 'sine=d=1', local])
    expect(existsSync(local)).toBe(true)
    files.set('/list.m3u8', { type: 'audio/mpegurl', bytes: Buffer.from(write(origin, local)) })
    const audio = await makeFrom('<audio src="/list.m3u8"></audio>', ffmpeg)
    expect(audio).toEqual({ reason: expect.stringContaining('segmented streams are not supported') })
    expect(requestedPaths).toEqual(['/list.m3u8'])
  })

  it('kills ffmpeg and removes its folder when the call is aborted', async () => {
    const script = join(folder, 'slow')
    const trace = join(folder, 'trace')
    // Input is read in real time, so that the conversion is still running when it is aborted.
    writeFileSync(script, `#!/bin/sh\necho $$ "$PWD" > ${trace}\nexec ${ffmpeg} -re "$@"\n`, { mode: 0o700 })
    const call = new AbortController()
    const conversion = makeOf(wav(60), 'audio/wav', script, call.signal)
    const [pid = '', workFolder = ''] = await until('a start', 10_000, async () => {
      const line = existsSync(trace) ? readFileSync(trace, 'utf8') : ''
      return line.endsWith('\n') ? line.trim().split(' ') : undefined
    })
    expect(existsSync(workFolder)).toBe(true)
    call.abort(new Error('enough'))
    await expect(conversion).rejects.toThrow('enough')
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
    expect(existsSync(workFolder)).toBe(false)
  })

  it('does not start ffmpeg for an aborted call', async () => {
    await expect(makeOf(wav(1), 'audio/wav', ffmpeg, AbortSignal.abort(new Error('over')))).rejects.toThrow()
  })
})
