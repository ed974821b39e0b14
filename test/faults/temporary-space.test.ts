import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../api.ts'
import { chromium } from '../deployment.ts'
import { docx } from '../documents/office.ts'
import { picture } from '../documents/post.ts'
import { connect } from '../mcp.ts'
import { runCommand, temporaryFolder } from '../service.ts'
import { send } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { isWhole } from './faults.ts'
import { type StoredService, startOn, stores } from './on-each-store.ts'

const kilobyte = 1024
const credits = 1000
const browser: Record<string, string> = chromium ? { CHROMIUM_PATH: chromium } : {}

let site: Site
beforeAll(async () => {
  const noise = Buffer.alloc(44 + 400 * kilobyte)
  noise.set(
    Buffer.from('RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data', 'latin1'),
  )
  site = await startSite({
    routes: {
      '/harbour.docx': ({ response }) => send(response, { 'content-type': wordType }, docx()),
      '/wind.wav': ({ response }) => send(response, { 'content-type': 'audio/wav' }, noise),
    },
  })
})
afterAll(() => site.stop())

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Returns numbered lines, so that the test notices a missing one. */
function textOf(bytes: number): string {
  let text = ''
  for (let index = 0; text.length < bytes; index += 1) text += `Line ${index} of a long list.\n`
  return text
}

function upload(
  { service, call }: StoredService,
  content: Uint8Array | string,
  name: string,
): Promise<Answer> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(content)]), name)
  const request = new Request(service.url, { method: 'POST', body: form })
  return request.arrayBuffer().then((body) =>
    call('POST', '/v2/parse', {
      body: new Uint8Array(body),
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
    }),
  )
}

/** Checks that the response names the setting of the full folder, but not its path. */
function expectFull({ status, headers, body }: Answer, path: string): void {
  const { code, folder } = body
  expect({ status, code, folder }).toEqual({ status: 503, code: 'TEMPORARY_FOLDER_FULL', folder: 'TMPDIR' })
  expect(JSON.stringify(body)).not.toContain(path)
  expect(body.error).toContain('full')
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

const balanceOf = async ({ call }: StoredService): Promise<number> =>
  (await call('GET', '/v2/team/credit-usage')).body.data.remainingCredits

/**
 * Returns files that calls left in the temporary folder of the process. Processes for conversions may stay for later
 * calls.
 */
function remainingIn(folder: string): string[] {
  const own = readdirSync(folder).find((name) => name.startsWith('winnow-process-')) ?? ''
  return readdirSync(join(folder, own)).filter((name) => /^winnow-(?:upload|document|audio|ocr)-/.test(name))
}

const mounted = mountSmall()
const skipNote = mounted ? '' : ' (skipped: only root can mount a file system)'

/** Mounts a small file system. Only root can do that. */
function mountSmall(): ReturnType<typeof temporaryFolder> | undefined {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder.path], { stdio: 'ignore' })
    return folder
  } catch {
    folder.remove()
    return undefined
  }
}
afterAll(() => {
  if (mounted) execFileSync('umount', ['--lazy', mounted.path])
  mounted?.remove()
})

/**
 * Fills the file system of a folder up to the given number of free bytes. Returns a function that empties it again.
 */
function fill(folder: string, freeBytes: number): () => void {
  const path = join(folder, 'filler')
  const file = openSync(path, 'w')
  let size = 0
  try {
    for (const block of [1024 * kilobyte, 4 * kilobyte])
      try {
        for (;;) size += writeSync(file, Buffer.alloc(block))
      } catch {
        // Writing fails when no more bytes fit.
      }
    ftruncateSync(file, Math.max(0, size - freeBytes))
  } finally {
    closeSync(file)
  }
  return () => rmSync(path)
}

describe.skipIf(!mounted).each(stores)(
  `a full temporary folder on %s${skipNote}`,
  { timeout: 120_000 },
  (store) => {
    const folder = mounted?.path ?? ''
    let stored: StoredService
    beforeAll(async () => {
      stored = await startOn(store, { TMPDIR: folder, TEAM_CREDITS: String(credits), ...browser })
    })
    afterAll(() => stored.stop())

    // Uploads of one and of several writes. An upload of one write fails after the complete form was read.
    const freeKilobytes = [0, 4, 8, 16, 24, 32, 36, 60, 64, 100, 128, 190].filter(
      (_, index) => isWhole || index % 3 === 1,
    )
    it.each(freeKilobytes)('never truncates an upload with %d kB left', async (free) => {
      const before = await balanceOf(stored)
      const empty = fill(folder, free * kilobyte)
      try {
        for (const size of [40, 44, 100, 200, 3000].filter((size) => size > free)) {
          expectFull(await upload(stored, textOf(size * kilobyte), 'list.txt'), folder)
        }
        expect(await balanceOf(stored)).toBe(before)
        expect(remainingIn(folder)).toEqual([])
      } finally {
        empty()
      }
      const text = textOf(200 * kilobyte)
      const complete = await upload(stored, text, 'list.txt')
      expect(complete.status).toBe(200)
      expect(complete.body.data.markdown.match(/Line \d+ /g)).toEqual(text.match(/Line \d+ /g))
    })

    it('is reported for page files, OCR, audio and tools, and charges nothing', async () => {
      const image = await sharp(await picture())
        .png()
        .toBuffer()
      const before = await balanceOf(stored)
      // OCR enlarges the image, so the image fits, but its copy does not.
      let empty = fill(folder, image.length + 16 * kilobyte)
      try {
        expectFull(await upload(stored, image, 'page.png'), folder)
      } finally {
        empty()
      }
      empty = fill(folder, 0)
      const tools = await connect('legacy', {
        key: 'fc-00000000000000000000000000000000',
        url: stored.service.url,
      })
      try {
        const scrape = (path: string, options: object = {}) =>
          stored.call('POST', '/v2/scrape', { body: { url: `${site.url}${path}`, maxAge: 0, ...options } })
        expectFull(await scrape('/harbour.docx'), folder)
        expectFull(await scrape('/wind.wav', { formats: ['audio'] }), folder)
        const used = await tools.callTool('parse', { content: textOf(200 * kilobyte), name: 'list.txt' })
        expect(used.isError).toBe(true)
        expect(used.text).toContain('TEMPORARY_FOLDER_FULL')
        const ready = await stored.call('GET', '/health/ready')
        expect(ready.status).toBe(503)
        expect(ready.body.parts.temporary).toContain(folder)
      } finally {
        empty()
        await tools.close()
      }
      expect(await balanceOf(stored)).toBe(before)
      expect(remainingIn(folder)).toEqual([])
      expect(stored.service.output()).toContain('TEMPORARY_FOLDER_FULL')
      await expect.poll(async () => (await stored.call('GET', '/health/ready')).status).toBe(200)
    })

    it('fails startup with the name of the folder, and leaves nothing there', async () => {
      const before = readdirSync(folder)
      const data = temporaryFolder()
      const empty = fill(folder, 0)
      try {
        const { code, stdout, stderr } = await runCommand([], {
          DATA_DIR: data.path,
          PORT: '0',
          TMPDIR: folder,
        })
        expect({ code, text: stdout + stderr }).toEqual({
          code: 1,
          text: expect.stringContaining(`TMPDIR=${folder} cannot be used: it is full`),
        })
      } finally {
        empty()
        data.remove()
      }
      expect(readdirSync(folder)).toEqual(before)
    })

    // Chromium can work without its files, but then its result must be complete.
    it.skipIf(!chromium)('never returns a truncated screenshot', async () => {
      const empty = fill(folder, 0)
      try {
        const body = { url: `${site.url}/pages/1`, maxAge: 0, formats: ['screenshot'] }
        const response = await stored.call('POST', '/v2/scrape', { body })
        if (response.status !== 200) return expectFull(response, folder)
        const bytes = await (await fetch(response.body.data.screenshot)).arrayBuffer()
        const { info } = await sharp(bytes, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true })
        expect(info).toMatchObject({ width: 1280, height: 800 })
      } finally {
        empty()
      }
    })
  },
)

describe.each(stores)('a file size limit on %s', { timeout: 120_000 }, (store) => {
  const folder = temporaryFolder()
  let stored: StoredService
  beforeAll(async () => {
    stored = await startOn(store, { TMPDIR: folder.path })
  })
  afterAll(async () => {
    await stored.stop()
    folder.remove()
  })
  // Any user can lower this limit, even for a running process.
  const limit = (bytes: string) =>
    execFileSync('prlimit', ['--pid', String(stored.service.process.pid), `--fsize=${bytes}:unlimited`])

  it('never truncates an upload', async () => {
    const content = textOf(10_000 * kilobyte)
    limit(String(8 * kilobyte * kilobyte))
    try {
      expectFull(await upload(stored, content, 'list.txt'), folder.path)
      expect(remainingIn(folder.path)).toEqual([])
    } finally {
      limit('unlimited')
    }
  })
})
