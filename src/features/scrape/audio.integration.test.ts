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
import { makeAudio } from './audio.ts'

const ffmpeg = ['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg', '/opt/homebrew/bin/ffmpeg'].find(existsSync)
const without = ffmpeg === undefined ? ' (skipped: there is no ffmpeg on this machine)' : ''

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
let asked: string[]
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const file = files.get(request.url ?? '')
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address with one.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  asked = []
})

const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

function makeFrom(html: string, program: string | undefined, signal = new AbortController().signal) {
  const page = pageOf(Buffer.from(html), 'text/html')
  return makeAudio(needsOf(program), page, audioCandidates(readPage(page, options)), signal)
}

function makeOf(bytes: Buffer, contentType: string, program = ffmpeg, signal = new AbortController().signal) {
  return makeAudio(needsOf(program), pageOf(bytes, contentType), [], signal)
}

const needsOf = (program: string | undefined) => ({
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

describe('a recording without conversion', () => {
  it('is handed out as it is when it is an MP3', async () => {
    const made = await makeFrom('<audio src="/tone.mp3"></audio>', undefined)
    expect(made).toEqual({ bytes: mp3, mediaType: 'audio/mpeg' })
  })

  it('may be the page itself', async () => {
    expect(await makeOf(mp3, 'audio/mpeg', undefined)).toMatchObject({ bytes: mp3 })
    expect(asked).toEqual([])
  })

  it('is an MP3 behind a tag and the room after it', async () => {
    const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 2, ...Array<number>(130 + 20).fill(0)])
    const tagged = Buffer.concat([tag, mp3])
    expect(await makeOf(tagged, 'audio/mpeg', undefined)).toMatchObject({ bytes: tagged })
  })

  it('is looked for among the others when the likeliest is none', async () => {
    const html = '<audio src="/missing.mp3"></audio><a href="/login.mp3">x</a><a href="/tone.mp3">y</a>'
    expect(await makeFrom(html, undefined)).toMatchObject({ bytes: mp3 })
    expect(asked).toEqual(['/missing.mp3', '/login.mp3', '/tone.mp3'])
  })

  it('is preferred to likelier ones that nothing here converts', async () => {
    const html = '<audio src="/tone.wav"></audio><a href="/tone.mp3">x</a>'
    expect(await makeFrom(html, undefined)).toMatchObject({ bytes: mp3 })
    expect(asked).toEqual(['/tone.mp3'])
  })
})

describe('the reason why there is no recording', () => {
  it.each([
    ['nothing is on the page', '<p>text</p>', 'need a special extractor are not supported'],
    ['the file is gone', '<audio src="/missing.mp3">', 'status 404'],
    ['nothing converts it', '<audio src="/tone.wav">', 'no ffmpeg is configured'],
    ['its address is private', '<audio src="http://10.0.0.1/a.mp3">', 'does not contact it'],
  ])('is reported: %s', async (_, html, reason) => {
    expect(await makeFrom(html, undefined)).toEqual({ reason: expect.stringContaining(reason) })
  })

  it('is reported where the program cannot be started', async () => {
    expect(await makeFrom('<audio src="/tone.wav">', join(folder, 'absent'))).toEqual({
      reason: expect.stringContaining('could not be started'),
    })
  })
})

describe.skipIf(ffmpeg === undefined)(`converting${without}`, () => {
  it('turns another form into MP3', async () => {
    const made = await makeFrom('<audio src="/tone.wav"></audio>', ffmpeg)
    const bytes = 'bytes' in made ? made.bytes : new Uint8Array()
    expect(isMp3(bytes)).toBe(true)
    // One second at 128 kb/s.
    expect(bytes.length).toBeGreaterThan(8000)
  })

  it('reads a file whose table of contents stands at its end', async () => {
    const path = join(folder, 'tone.m4a')
    writeFileSync(join(folder, 'tone.wav'), wav(1))
    spawnSync(ffmpeg ?? '', ['-nostdin', '-y', '-i', join(folder, 'tone.wav'), '-c:a', 'aac', path])
    const made = await makeOf(readFileSync(path), 'audio/mp4')
    expect('bytes' in made && isMp3(made.bytes)).toBe(true)
  })

  it('refuses what is no recording', async () => {
    expect(await makeOf(Buffer.from('no sound at all'), 'audio/wav')).toEqual({
      reason: expect.stringContaining('a format that cannot be converted'),
    })
  })

  const hls = (...lines: string[]) =>
    ['#EXTM3U', '#EXT-X-TARGETDURATION:1', ...lines, '#EXT-X-ENDLIST', ''].join('\n')
  const piece = (address: string) => `#EXTINF:1,\n${address}`
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
  ])('reaches nothing that a crafted playlist names: %s', async (_, write) => {
    const local = join(folder, 'secret.ts')
    spawnSync(ffmpeg ?? '', ['-nostdin', '-y', '-f', 'lavfi', '-i', 'sine=d=1', local])
    expect(existsSync(local)).toBe(true)
    files.set('/list.m3u8', { type: 'audio/mpegurl', bytes: Buffer.from(write(origin, local)) })
    const made = await makeFrom('<audio src="/list.m3u8"></audio>', ffmpeg)
    expect(made).toEqual({ reason: expect.stringContaining('segmented streams are not supported') })
    expect(asked).toEqual(['/list.m3u8'])
  })

  it('ends the program and clears its folder when the call is over', async () => {
    const script = join(folder, 'slow')
    const trace = join(folder, 'trace')
    // Read no faster than it would be heard, so that there is something to break off.
    writeFileSync(script, `#!/bin/sh\necho $$ "$PWD" > ${trace}\nexec ${ffmpeg} -re "$@"\n`, { mode: 0o700 })
    const call = new AbortController()
    const making = makeOf(wav(60), 'audio/wav', script, call.signal)
    const [pid = '', place = ''] = await until('a start', 10_000, async () => {
      const line = existsSync(trace) ? readFileSync(trace, 'utf8') : ''
      return line.endsWith('\n') ? line.trim().split(' ') : undefined
    })
    expect(existsSync(place)).toBe(true)
    call.abort(new Error('enough'))
    await expect(making).rejects.toThrow('enough')
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
    expect(existsSync(place)).toBe(false)
  })

  it('does not start for a call that is over already', async () => {
    await expect(makeOf(wav(1), 'audio/wav', ffmpeg, AbortSignal.abort(new Error('over')))).rejects.toThrow()
  })
})
