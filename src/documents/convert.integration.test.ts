import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { docx } from '../../test/documents/office.ts'
import { pdf } from '../../test/documents/pdf.ts'
import { temporaryFolder } from '../../test/service.ts'
import { silentLog } from '../platform/log.ts'
import { type Converter, createDocumentConverter } from './convert.ts'

const folder = temporaryFolder()
afterAll(folder.remove)
let converter: Converter | undefined
afterEach(() => converter?.stop())

function start(changes: object = {}): Converter {
  const limits = {
    processes: 1,
    recognisers: 1,
    spare: 0,
    megabytes: 1024,
    maxMs: 60_000,
    idleMs: 60_000,
    ...changes,
  }
  converter = createDocumentConverter(limits, silentLog)
  return converter
}

function createRequest(name: string, content: Buffer) {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  const options = {
    pdf: { mode: 'auto' as const, maxPages: 100, pageMarkers: false },
    parses: true,
    tesseract: undefined,
    timeoutMs: 60_000,
  }
  return { path, name, mediaType: undefined, options }
}

const neverAborted = new AbortController().signal
const owner = { team: 'a' }

/** Returns a PDF whose page draws a form that draws itself: a reader that follows it never ends. */
const endlessFile = () => {
  const form = '/XObject << /X 2 0 R >>'
  return pdf([{ lines: [{ text: 'x', y: 50 }], draw: '\n/X Do\n' }], { extra: form })
}

/** Returns a PDF with more pages than any machine converts quickly. */
const longFile = () => {
  const text = 'A line with several words in it'
  const lines = Array.from({ length: 60 }, (_, line) => ({ text, y: 50 + line * 12 }))
  return pdf(Array.from({ length: 1500 }, () => ({ lines })))
}

describe('the converter', () => {
  it('converts a docx in a child process', async () => {
    const conversion = await start().convert(createRequest('a.docx', docx()), owner, neverAborted)
    expect(conversion).toMatchObject({
      kind: 'converted',
      document: { markdown: expect.stringContaining('# The lighthouse') },
    })
  })

  it('returns HTML as a page', async () => {
    const conversion = await start().convert(
      createRequest('a.html', Buffer.from('<p>x')),
      owner,
      neverAborted,
    )
    expect(conversion).toEqual({ kind: 'page', mediaType: 'text/html' })
  })

  it('aborts a conversion that exceeds the time limit, and converts the next file', async () => {
    const pool = start({ maxMs: 1 })
    await expect(
      pool.convert(createRequest('slow.pdf', endlessFile()), owner, neverAborted),
    ).rejects.toMatchObject({
      code: 'DOCUMENT_LIMIT_EXCEEDED',
    })
    pool.stop()
    const next = await start().convert(createRequest('a.docx', docx()), owner, neverAborted)
    expect(next.kind).toBe('converted')
  })

  it('continues after a file that exceeds the memory limit', async () => {
    const pool = start({ megabytes: 200 })
    const large = Buffer.from('1,2,3,4,5,6,7,8\n'.repeat(1_500_000))
    const failed = pool.convert(createRequest('large.csv', large), owner, neverAborted)
    await expect(failed).rejects.toMatchObject({ code: 'DOCUMENT_LIMIT_EXCEEDED' })
    expect((await pool.convert(createRequest('a.docx', docx()), owner, neverAborted)).kind).toBe('converted')
  })

  it('queues files, and removes a waiting file when its caller aborts', async () => {
    const pool = start()
    const cancelled = new AbortController()
    const first = pool.convert(createRequest('a.docx', docx()), owner, neverAborted)
    const second = pool.convert(createRequest('b.docx', docx()), owner, cancelled.signal)
    const third = pool.convert(createRequest('c.docx', docx()), owner, neverAborted)
    cancelled.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    expect((await first).kind).toBe('converted')
    expect((await third).kind).toBe('converted')
  })

  it('converts a file of an idle team while another team uses all processes', async () => {
    const pool = start({ spare: 1 })
    const stopSlow = new AbortController()
    const slow = [1, 2, 3].map((number) =>
      pool.convert(createRequest(`slow-${number}.pdf`, longFile()), owner, stopSlow.signal),
    )
    const next = await pool.convert(createRequest('b.docx', docx()), { team: 'b' }, neverAborted)
    expect(next.kind).toBe('converted')
    stopSlow.abort(new Error('over'))
    const results = await Promise.allSettled(slow)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  })

  it('rejects a damaged file with its error code', async () => {
    const broken = start().convert(createRequest('a.docx', docx().subarray(0, 500)), owner, neverAborted)
    await expect(broken).rejects.toMatchObject({ code: 'DOCUMENT_DAMAGED', detail: { phase: 'convert' } })
  })
})
