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
    mostMs: 60_000,
    idleMs: 60_000,
    ...changes,
  }
  converter = createDocumentConverter(limits, silentLog)
  return converter
}

function order(name: string, content: Buffer) {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  const options = {
    pdf: { mode: 'auto' as const, maxPages: 100, pageMarkers: false },
    parses: true,
    tesseract: undefined,
    withinMs: 60_000,
  }
  return { path, name, mediaType: undefined, options }
}

const alive = new AbortController().signal
const who = { team: 'a' }

/** A page that draws a form which draws itself: readers that follow it never end. */
const endless = () => {
  const form = '/XObject << /X 2 0 R >>'
  return pdf([{ lines: [{ text: 'x', y: 50 }], draw: '\n/X Do\n' }], { extra: form })
}

/** More pages than any machine finishes soon. */
const longFile = () => {
  const text = 'A line with several words in it'
  const lines = Array.from({ length: 60 }, (_, line) => ({ text, y: 50 + line * 12 }))
  return pdf(Array.from({ length: 1500 }, () => ({ lines })))
}

describe('the converter', () => {
  it('converts in a process of its own', async () => {
    const conversion = await start().convert(order('a.docx', docx()), who, alive)
    expect(conversion).toMatchObject({
      kind: 'converted',
      document: { markdown: expect.stringContaining('# The lighthouse') },
    })
  })

  it('advises to read text as a page', async () => {
    const conversion = await start().convert(order('a.html', Buffer.from('<p>x')), who, alive)
    expect(conversion).toEqual({ kind: 'page', mediaType: 'text/html' })
  })

  it('ends a conversion that takes too long, and goes on with the next', async () => {
    const pool = start({ mostMs: 1 })
    await expect(pool.convert(order('slow.pdf', endless()), who, alive)).rejects.toMatchObject({
      code: 'DOCUMENT_LIMIT_EXCEEDED',
    })
    pool.stop()
    const next = await start().convert(order('a.docx', docx()), who, alive)
    expect(next.kind).toBe('converted')
  })

  it('survives a file that needs more memory than there is', async () => {
    const pool = start({ megabytes: 200 })
    const large = Buffer.from('1,2,3,4,5,6,7,8\n'.repeat(1_500_000))
    const failed = pool.convert(order('large.csv', large), who, alive)
    await expect(failed).rejects.toMatchObject({ code: 'DOCUMENT_LIMIT_EXCEEDED' })
    expect((await pool.convert(order('a.docx', docx()), who, alive)).kind).toBe('converted')
  })

  it('lets files wait for their turn, and gives a turn back when the caller has gone', async () => {
    const pool = start()
    const gone = new AbortController()
    const first = pool.convert(order('a.docx', docx()), who, alive)
    const second = pool.convert(order('b.docx', docx()), who, gone.signal)
    const third = pool.convert(order('c.docx', docx()), who, alive)
    gone.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    expect((await first).kind).toBe('converted')
    expect((await third).kind).toBe('converted')
  })

  it('converts for a team that has nothing under way, though another has filled all processes', async () => {
    const pool = start({ spare: 1 })
    const over = new AbortController()
    const slow = [1, 2, 3].map((number) =>
      pool.convert(order(`slow-${number}.pdf`, longFile()), who, over.signal),
    )
    const next = await pool.convert(order('b.docx', docx()), { team: 'b' }, alive)
    expect(next.kind).toBe('converted')
    over.abort(new Error('over'))
    const ends = await Promise.allSettled(slow)
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  })

  it('tells what is wrong with a file by its code', async () => {
    const broken = start().convert(order('a.docx', docx().subarray(0, 500)), who, alive)
    await expect(broken).rejects.toMatchObject({ code: 'DOCUMENT_DAMAGED', detail: { phase: 'convert' } })
  })
})
