import { AppError } from '../../base/errors.ts'
import { type AudioAnswer, isMedia, type MediaCandidate, seemsMp3 } from '../../content/media/media.ts'
import type { Page } from '../../content/page.ts'
import type { HttpClient } from '../../network/client.ts'
import type { ConnectionOwner } from '../../network/connection-pools.ts'
import { toMp3 } from './audio-convert.ts'
import { browserHeaders } from './browser-headers.ts'

export interface AudioNeeds {
  owner: ConnectionOwner
  client: HttpClient
  /** Absolute path of the program; undefined: only what is MP3 already is handed out. */
  ffmpeg: string | undefined
  /** As for the page itself. */
  verifyTls: boolean
  upstream: URL | undefined
}

/** A page names the same recording several times, and not every address still answers. */
const mostTries = 3
const largestFile = 200 * 1024 * 1024

const nothingFound =
  'no recording was found on the page; media hosts that need a special extractor are not supported.'

/** The recording of a page as MP3; of what the page names, the first one that is to be had. */
export async function makeAudio(
  needs: AudioNeeds,
  page: Page,
  candidates: MediaCandidate[],
  signal: AbortSignal,
): Promise<AudioAnswer> {
  if (isMedia(page)) return toMp3(page.bytes, needs.ffmpeg, signal)
  let failure: AudioAnswer | undefined
  for (const candidate of usableFirst(candidates, needs.ffmpeg).slice(0, mostTries)) {
    const fetched = await fetchFile(needs, candidate, page, signal)
    const answer = 'reason' in fetched ? fetched : await toMp3(fetched.bytes, needs.ffmpeg, signal)
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
  needs: AudioNeeds,
  candidate: MediaCandidate,
  page: Page,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array } | { reason: string }> {
  const request = {
    owner: needs.owner,
    url: new URL(candidate.url),
    headers: mediaHeaders(page),
    // What the caller sends was meant for the page, not for wherever its files are.
    callerHeaders: {},
    verifyTls: needs.verifyTls,
    bound: () => ({ bound: 'the largest recording', bytes: largestFile }),
    upstream: needs.upstream,
  }
  try {
    const answer = await needs.client.get(request, signal)
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
