import { describe, expect, it } from 'vitest'
import { inlineValueWork } from '../../../test/value-work.ts'
import { readPage } from '../../content/content.ts'
import type { AudioResult } from '../page-parts/media.ts'
import { buildParts, pageParts } from '../page-parts/parts.ts'
import { audio } from './audio.ts'

const page = {
  requestedUrl: 'https://site.example/',
  url: 'https://site.example/',
  status: 200,
  headers: { 'content-type': 'text/html' },
  bytes: Buffer.from('<p>text</p>'),
  fetchedAt: 0,
}
const content = pageParts(
  await buildParts(
    readPage(page, {
      onlyMainContent: true,
      includeTags: [],
      excludeTags: [],
      removeBase64Images: true,
    }),
    page.url,
    { media: true },
  ),
)

function render(result: AudioResult) {
  const context = {
    page,
    isFile: false,
    storeFile: async (file: { mediaType: string }, hours: number) => `kept ${file.mediaType} for ${hours} h`,
    signal: new AbortController().signal,
    warn: () => undefined,
    waive: () => undefined,
    history: undefined,
    model: undefined,
    sentences: undefined,
    work: inlineValueWork,
    audio: async () => result,
  }
  return audio.render(content, {}, context)
}

describe('audio format', () => {
  it('returns the URL of the audio file, stored for one hour', async () => {
    const result = { bytes: new Uint8Array(1), mediaType: 'audio/mpeg' }
    expect(await render(result)).toEqual({ audio: 'kept audio/mpeg for 1 h' })
  })

  it('returns the reason if there is no audio', async () => {
    expect(await render({ reason: 'none was found.' })).toEqual({ unavailable: 'audio: none was found.' })
  })
})
