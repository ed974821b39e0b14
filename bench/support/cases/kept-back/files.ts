import { lazy } from '../../../../src/platform/functions.ts'
import { docxParts } from '../../../../test/documents/office.ts'
import { zip } from '../../../../test/documents/zip.ts'
import type { SupportCase } from '../../case.ts'
import { scanned } from '../../files.ts'
import { returnsResult } from '../../pages.ts'

/** Rendered once, on first use. */
const receipt = lazy(() =>
  scanned(['Receipt for repairs', 'One bell clapper, forged', 'Paid in full by Otto Brandvold']),
)

/** Cases of files that cannot be read. */
export const fileCases: readonly SupportCase[] = [
  {
    name: 'a receipt from the copier',
    cause: 'pdf-scanned',
    async arrange(kit) {
      const options = { parsers: [{ type: 'pdf', mode: 'fast' }] }
      const { id, code } = await kit.parse({ bytes: await receipt(), name: 'receipt.pdf' }, options)
      kit.check('needs OCR', code === 'SCRAPE_PDF_OCR_REQUIRED')
      return {
        question:
          'Receipts from our office copier are rejected by parse, PDFs exported from Word go through.',
        jobId: id,
        context: { options },
      }
    },
    fix: returnsResult(({ text }) => /brandvold/i.test(text), { parsers: [{ type: 'pdf', mode: 'auto' }] }),
  },
  {
    name: 'a scan at an address, on a bare machine',
    cause: 'pdf-scanned',
    environment: 'bare',
    routes: {
      '/files/receipt': async () => ({
        headers: { 'content-type': 'application/pdf' },
        body: await receipt(),
      }),
    },
    async arrange(kit) {
      const { id, code } = await kit.scrape({ url: kit.url('/files/receipt') })
      kit.check('no OCR', code === 'OCR_NOT_CONFIGURED')
      return { question: 'what is missing on my installation to read this pdf?', jobId: id }
    },
  },
  {
    name: 'a contract with a password, at an address',
    cause: 'file-encrypted',
    routes: {
      '/contract.docx': {
        headers: {
          'content-type': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        },
        body: zip(docxParts('<w:p/>'), { encrypted: true }),
      },
    },
    async arrange(kit) {
      const { id, code } = await kit.scrape({ url: kit.url('/contract.docx') })
      kit.check('encrypted', code === 'DOCUMENT_ENCRYPTED')
      return {
        question: 'I can open the contract in Word without trouble (after I type the code). Why can you not?',
        jobId: id,
      }
    },
  },
  {
    name: 'a file beyond what is fetched',
    cause: 'file-too-large',
    environment: 'narrow',
    routes: {
      '/atlas.pdf': {
        headers: { 'content-type': 'application/pdf' },
        body: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3 * 1024 * 1024, 37)]),
      },
    },
    async arrange(kit) {
      const { id, code } = await kit.scrape({ url: kit.url('/atlas.pdf') })
      kit.check('too large', code === 'SCRAPE_PAGE_TOO_LARGE')
      return { question: 'atlas.pdf always fails, the smaller PDFs on that server are fine', jobId: id }
    },
  },
  {
    name: 'a table of a whole country',
    cause: 'file-too-large',
    async arrange(kit) {
      const { body } = await kit.parse({ bytes: Buffer.alloc(54 * 1024 * 1024, 49), name: 'census.csv' })
      kit.check('too large', body.code === 'UPLOAD_TOO_LARGE')
      return { question: `census.csv → ${body.error} Is there any way to get it in?` }
    },
  },
]
