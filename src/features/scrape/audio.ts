import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from '../../content/page.ts'
import {
  type AudioResult,
  isMedia,
  type MediaCandidate,
  seemsMp3,
} from '../../extraction/page-parts/media.ts'
import type { ConnectionOwner } from '../../fetch/network/connection-pools.ts'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import { withTemporaryFolder, writeTemporaryFile } from '../../platform/temporary-files.ts'
import type { Deps } from '../needs.ts'
import { browserHeaders } from './browser-headers.ts'

export interface AudioDeps extends Pick<Deps, 'client' | 'ffmpeg'> {
  owner: ConnectionOwner
  verifyTls: boolean
  upstream: URL | undefined
}

/** A page often contains several URLs of the same audio file, and some no longer work. */
const maxTries = 3
const maxFileBytes = 200 * 1024 * 1024

const notFoundReason =
  'no recording was found on the page; media hosts that need a special extractor are not supported.'

export async function createAudio(
  deps: AudioDeps,
  page: Page,
  candidates: MediaCandidate[],
  signal: AbortSignal,
): Promise<AudioResult> {
  if (isMedia(page)) return toMp3(page.bytes, deps.ffmpeg, signal)
  let failure: AudioResult | undefined
  for (const candidate of sortUsableFirst(candidates, deps.ffmpeg).slice(0, maxTries)) {
    const fetched = await fetchFile(deps, candidate, page, signal)
    const audio = 'reason' in fetched ? fetched : await toMp3(fetched.bytes, deps.ffmpeg, signal)
    if (!('reason' in audio)) return audio
    failure ??= audio
  }
  return failure ?? { reason: notFoundReason }
}

function sortUsableFirst(candidates: MediaCandidate[], ffmpeg: string | undefined): MediaCandidate[] {
  if (ffmpeg !== undefined) return candidates
  return candidates.toSorted((one, other) => Number(seemsMp3(other)) - Number(seemsMp3(one)))
}

async function fetchFile(deps: AudioDeps, candidate: MediaCandidate, page: Page, signal: AbortSignal) {
  const { client, owner, verifyTls, upstream } = deps
  const request = {
    ...{ owner, url: new URL(candidate.url), headers: mediaHeaders(page), verifyTls, upstream },
    // Headers of the caller are meant for the page and are not sent to the hosts of its files.
    callerHeaders: {},
    bound: () => ({ bound: 'the largest recording', bytes: maxFileBytes }),
  }
  try {
    const response = await client.get(request, signal)
    if (response.status === 200) return response
    return { reason: `the request for the recording returned status ${response.status}.` }
  } catch (thrown) {
    signal.throwIfAborted()
    if (!(thrown instanceof AppError)) throw thrown
    const isTooLarge = thrown.code === 'SCRAPE_PAGE_TOO_LARGE'
    return { reason: isTooLarge ? 'the recording is larger than 200 MB.' : `no recording: ${thrown.message}` }
  }
}

/** Many hosts serve a file only with the headers of media playback and the referer of their own page. */
function mediaHeaders(page: Page): Record<string, string> {
  const { 'user-agent': agent = '', 'accept-language': languages = '' } = browserHeaders()
  return {
    'user-agent': agent,
    accept: '*/*',
    'accept-encoding': 'identity',
    'accept-language': languages,
    referer: `${new URL(page.url).origin}/`,
  }
}

async function toMp3(bytes: Uint8Array, ffmpeg: string | undefined, signal: AbortSignal) {
  if (isMp3(bytes)) return { bytes, mediaType: 'audio/mpeg' }
  if (ffmpeg === undefined) {
    return { reason: 'the recording is not an MP3, and no ffmpeg is configured to convert it.' }
  }
  // ffmpeg reads a file and not a pipe, because many audio formats store the index for decoding at their end.
  return withTemporaryFolder('audio', async (folder) => {
    await writeTemporaryFile(join(folder, 'input'), bytes, signal)
    return convert(ffmpeg, folder, signal)
  })
}

const maxOutputBytes = 200 * 1024 * 1024

/** Formats that contain the audio data themselves. A crafted playlist would make ffmpeg open its URLs and paths. */
const containers =
  'aac,ac3,aiff,amr,ape,asf,au,avi,caf,eac3,flac,flv,matroska,mov,mp3,mpeg,mpegts,ogg,w64,wav,wv'

const ffmpegArguments = [
  ...['-nostdin', '-hide_banner', '-loglevel', 'quiet'],
  ...['-protocol_whitelist', 'pipe,file', '-format_whitelist', containers, '-i', 'file:input'],
  ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_chapters', '-1'],
  // Output to a pipe has no duration in its header. A constant bit rate lets players compute it from the size.
  ...['-codec:a', 'libmp3lame', '-b:a', '128k', '-write_xing', '0', '-f', 'mp3', 'pipe:1'],
]

/** Resolves or rejects only after ffmpeg has exited, because only then can its folder be removed. */
async function convert(ffmpeg: string, folder: string, signal: AbortSignal): Promise<AudioResult> {
  signal.throwIfAborted()
  // The environment is empty: a program that reads untrusted files must not see secrets of the service.
  const child = spawn(ffmpeg, ffmpegArguments, { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'ignore'] })
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  const chunks: Uint8Array[] = []
  let size = 0
  const onData = (chunk: Uint8Array) => {
    size += chunk.length
    if (size <= maxOutputBytes) chunks.push(chunk)
    else kill()
  }
  child.stdout.on('data', listener(onData, kill))
  let failure: Error | undefined
  child.on('error', (error) => {
    failure = error
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  signal.removeEventListener('abort', kill)
  signal.throwIfAborted()
  if (failure) return { reason: 'ffmpeg, which converts the recording, could not be started.' }
  if (size > maxOutputBytes) return { reason: 'the recording is larger than 200 MB as MP3.' }
  if (code !== 0 || size === 0) {
    return {
      reason: 'the recording has a format that cannot be converted; segmented streams are not supported.',
    }
  }
  return { bytes: Buffer.concat(chunks, size), mediaType: 'audio/mpeg' }
}

/** Checks the bytes, because servers use the content type audio/mpeg for other formats as well. */
function isMp3(bytes: Uint8Array): boolean {
  const hasTag = bytes[0] === 0x49 && bytes[1] === 0x44 && bytes[2] === 0x33
  let start = hasTag ? tagLength(bytes) : 0
  while (start > 0 && bytes[start] === 0) start += 1
  const [sync = 0, kind = 0, rate = 0] = bytes.subarray(start, start + 3)
  const isLayer3 = (kind & 0xe6) === 0xe2
  const isVersion = (kind & 0x18) !== 0x08
  const isRate = (rate & 0xf0) !== 0xf0 && (rate & 0x0c) !== 0x0c
  return sync === 0xff && isLayer3 && isVersion && isRate
}

function tagLength(bytes: Uint8Array): number {
  const size = bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
  const footer = ((bytes[5] ?? 0) & 0x10) === 0 ? 0 : 10
  return 10 + size + footer
}
