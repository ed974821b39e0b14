import { lazy } from '../../../../src/platform/functions.ts'
import { pdf } from '../../../../test/documents/pdf.ts'
import type { SupportCase } from '../../case.ts'
import { scanned } from '../../files.ts'
import { html, returnsResult } from '../../pages.ts'

/** Rendered once, on first use. */
const letter = lazy(() =>
  scanned(['The deed of the mill', 'was signed by Agnes Thorne', 'on the second of March.']),
)

/** Cases of files that cannot be read. */
export const fileCases: readonly SupportCase[] = [
  {
    name: 'a deed that was photographed',
    cause: 'pdf-scanned',
    routes: {
      '/deed.pdf': async () => ({ headers: { 'content-type': 'application/pdf' }, body: await letter() }),
    },
    async arrange(kit) {
      const { id, code } = await kit.scrape({
        url: kit.url('/deed.pdf'),
        parsers: [{ type: 'pdf', mode: 'fast' }],
      })
      kit.check('needs OCR', code === 'SCRAPE_PDF_OCR_REQUIRED')
      return { question: 'This PDF cannot be scraped, but Acrobat shows it fine. Please help.', jobId: id }
    },
    fix: returnsResult(({ text }) => /agnes\s+thorne/i.test(text), {
      parsers: [{ type: 'pdf', mode: 'ocr' }],
    }),
  },
  {
    name: 'a scan without a program to read it',
    cause: 'pdf-scanned',
    environment: 'bare',
    async arrange(kit) {
      await kit.makeUnrelatedCalls()
      const { code } = await kit.parse({ bytes: await letter(), name: 'deed.pdf' })
      kit.check('no OCR', code === 'OCR_NOT_CONFIGURED')
      return {
        question: 'Uploading deed.pdf to /v2/parse answers 503. Other PDFs work. What is special about it?',
      }
    },
  },
  {
    name: 'a payslip with a password',
    cause: 'file-encrypted',
    async arrange(kit) {
      const bytes = pdf([{ lines: [{ text: 'Payslip', y: 100 }] }], { encrypted: true })
      const { id, code } = await kit.parse({ bytes, name: 'payslip.pdf' })
      kit.check('encrypted', code === 'DOCUMENT_ENCRYPTED')
      return { question: 'parse fails for the payslips we get from our provider (422)', jobId: id }
    },
  },
  {
    name: 'a book of fifty megabytes and more',
    cause: 'file-too-large',
    async arrange(kit) {
      const { status, code } = await kit.parse({
        bytes: Buffer.alloc(51 * 1024 * 1024, 32),
        name: 'book.txt',
      })
      kit.check('too large', code === 'UPLOAD_TOO_LARGE')
      return {
        question: 'I upload book.txt to the parse endpoint and the connection is answered with 413.',
        context: { status, fileSizeMb: 51 },
      }
    },
  },
  {
    name: 'a page of megabytes',
    cause: 'file-too-large',
    environment: 'narrow',
    routes: {
      '/log': html(
        'Log',
        `<main><h1>Log</h1>${'<p>Nothing to report from the tower tonight.</p>'.repeat(50_000)}</main>`,
      ),
    },
    async arrange(kit) {
      const { id, code } = await kit.scrape({ url: kit.url('/log') })
      kit.check('too large', code === 'SCRAPE_PAGE_TOO_LARGE')
      return {
        question:
          'The log of the tower cannot be scraped any more. A month ago, when it was shorter, it worked.',
        jobId: id,
      }
    },
  },
]
