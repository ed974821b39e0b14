import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from '../../content/page.ts'
import {
  type AudioAnswer,
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
  /** As for the page itself. */
  verifyTls: boolean
  upstream: URL | undefined
}

/** A page names the same recording several times, and not every address still answers. */
const maxTries = 3
const largestFile = 200 * 1024 * 1024

const nothingFound =
  'no recording was found on the page; media hosts that need a special extractor are not supported.'

/** The recording of a page as MP3; of what the page names, the first one that is to be had. */
export async function makeAudio(
  deps: AudioDeps,
  page: Page,
  candidates: MediaCandidate[],
  signal: AbortSignal,
): Promise<AudioAnswer> {
  if (isMedia(page)) return toMp3(page.bytes, deps.ffmpeg, signal)
  let failure: AudioAnswer | undefined
  for (const candidate of usableFirst(candidates, deps.ffmpeg).slice(0, maxTries)) {
    const fetched = await fetchFile(deps, candidate, page, signal)
    const answer = 'reason' in fetched ? fetched : await toMp3(fetched.bytes, deps.ffmpeg, signal)
    if (!('reason' in answer)) return answer
    // What was wrong with the likeliest one says most.
    failure ??= answer
  }
  return failure ?? { reason: nothingFound }
}

function usableFirst(candidates: MediaCandidate[], ffmpeg: string | undefined): MediaCandidate[] {
  if (ffmpeg !== undefined) return candidates
  return [...candidates.filter(seemsMp3), ...candidates.filter((candidate) => !seemsMp3(candidate))]
}

async function fetchFile(
  deps: AudioDeps,
  candidate: MediaCandidate,
  page: Page,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array } | { reason: string }> {
  const request = {
    owner: deps.owner,
    url: new URL(candidate.url),
    headers: mediaHeaders(page),
    // What the caller sends was meant for the page, not for wherever its files are.
    callerHeaders: {},
    verifyTls: deps.verifyTls,
    bound: () => ({ bound: 'the largest recording', bytes: largestFile }),
    upstream: deps.upstream,
  }
  try {
    const answer = await deps.client.get(request, signal)
    return answer.status === 200
      ? answer
      : { reason: `the request for the recording returned status ${answer.status}.` }
  } catch (thrown) {
    signal.throwIfAborted()
    if (!(thrown instanceof AppError)) throw thrown
    const isTooLarge = thrown.code === 'SCRAPE_PAGE_TOO_LARGE'
    return { reason: isTooLarge ? 'the recording is larger than 200 MB.' : `no recording: ${thrown.message}` }
  }
}

/** What a browser sends when it plays a file. Many hosts serve one only to a visitor of their own pages. */
function mediaHeaders(page: Page): Record<string, string> {
  const browser = browserHeaders()
  const { 'user-agent': agent = '', 'accept-language': languages = '' } = browser
  return {
    'user-agent': agent,
    accept: '*/*',
    'accept-encoding': 'identity',
    'accept-language': languages,
    referer: `${new URL(page.url).origin}/`,
  }
}

/** A recording as MP3: as it is when it is one, else converted. */
async function toMp3(
  bytes: Uint8Array,
  ffmpeg: string | undefined,
  signal: AbortSignal,
): Promise<AudioAnswer> {
  if (isMp3(bytes)) return { bytes, mediaType: 'audio/mpeg' }
  if (ffmpeg === undefined) {
    return { reason: 'the recording is not an MP3, and no ffmpeg is configured to convert it.' }
  }
  // A file and not a pipe: many recordings keep at their end what is needed to read their beginning.
  return withTemporaryFolder('audio', async (folder) => {
    await writeTemporaryFile(join(folder, 'input'), bytes, signal)
    return convert(ffmpeg, folder, signal)
  })
}

const largestOutput = 200 * 1024 * 1024

/**
 * Formats that hold their sound themselves. Everything else is refused before it is read: playlists and the like are
 * lists of addresses and paths, and a crafted one would make the program open them.
 */
const containers =
  'aac,ac3,aiff,amr,ape,asf,au,avi,caf,eac3,flac,flv,matroska,mov,mp3,mpeg,mpegts,ogg,w64,wav,wv'

const command = [
  ...['-nostdin', '-hide_banner', '-loglevel', 'quiet'],
  ...['-protocol_whitelist', 'pipe,file', '-format_whitelist', containers, '-i', 'file:input'],
  ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_chapters', '-1'],
  // A constant rate: the length then follows from the size, which a pipe leaves no place to note.
  ...['-codec:a', 'libmp3lame', '-b:a', '128k', '-write_xing', '0', '-f', 'mp3', 'pipe:1'],
]

/** Ends when the program has, on every way: only then may its folder go. */
async function convert(ffmpeg: string, folder: string, signal: AbortSignal): Promise<AudioAnswer> {
  signal.throwIfAborted()
  // Nothing of our environment: a program that reads files of strangers needs none of our secrets.
  const child = spawn(ffmpeg, command, { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'ignore'] })
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  const parts: Uint8Array[] = []
  let size = 0
  const take = (part: Uint8Array) => {
    size += part.length
    if (size <= largestOutput) parts.push(part)
    else kill()
  }
  child.stdout.on('data', listener(take, kill))
  let failure: Error | undefined
  child.on('error', (error) => {
    failure = error
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  signal.removeEventListener('abort', kill)
  signal.throwIfAborted()
  if (failure) return { reason: 'ffmpeg, which converts the recording, could not be started.' }
  if (size > largestOutput) return { reason: 'the recording is larger than 200 MB as MP3.' }
  if (code !== 0 || size === 0) {
    return {
      reason: 'the recording has a format that cannot be converted; segmented streams are not supported.',
    }
  }
  return { bytes: Buffer.concat(parts, size), mediaType: 'audio/mpeg' }
}

/** By its bytes, since servers name many things audio/mpeg. */
function isMp3(bytes: Uint8Array): boolean {
  let start = hasTag(bytes) ? tagLength(bytes) : 0
  // Writers of tags leave room behind them.
  while (start > 0 && bytes[start] === 0) start += 1
  const [sync = 0, kind = 0, rate = 0] = bytes.subarray(start, start + 3)
  const isLayer3 = (kind & 0xe6) === 0xe2
  const isVersion = (kind & 0x18) !== 0x08
  const isRate = (rate & 0xf0) !== 0xf0 && (rate & 0x0c) !== 0x0c
  return sync === 0xff && isLayer3 && isVersion && isRate
}

function hasTag(bytes: Uint8Array): boolean {
  return bytes[0] === 0x49 && bytes[1] === 0x44 && bytes[2] === 0x33
}

/** The length of an ID3 tag stands in four bytes of seven bits. */
function tagLength(bytes: Uint8Array): number {
  const size = bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
  const footer = ((bytes[5] ?? 0) & 0x10) === 0 ? 0 : 10
  return 10 + size + footer
}
