import { type Causes, whenFailedWith } from '../cause.ts'
import {
  failedWith,
  jobErrorOf,
  lastStep,
  markdownLength,
  mentions,
  optionOf,
  quotesWarning,
} from '../support-case.ts'

export const filesCauses: Causes = {
  'file-encrypted': whenFailedWith(['DOCUMENT_ENCRYPTED'], () => ({
    confidence: 0.97,
    diagnosis: 'The file is encrypted or protected by a password, so its text cannot be read.',
    advice: 'Remove the protection in the program that made the file, and send it again.',
  })),

  'file-too-large'(facts) {
    const code = failedWith(facts, 'DOCUMENT_LIMIT_EXCEEDED', 'SCRAPE_PAGE_TOO_LARGE', 'UPLOAD_TOO_LARGE')
    const isMentioned = mentions(
      facts,
      /\b413\b|too large|UPLOAD_TOO_LARGE|REQUEST_TOO_LARGE|TOO_LARGE|size limit|too big/i,
    )
    if (!code && !isMentioned) return undefined
    return {
      confidence: code ? 0.96 : 0.8,
      diagnosis:
        'The file, the page or the answer is larger than one call accepts (docs/limits.md has the bounds).',
      advice:
        'Split the file, convert some pages of a PDF at a time (parsers with maxPages or pages), or ask for fewer formats or parts of the page.',
      fixes: code ? [{ parsers: [{ type: 'pdf', maxPages: 10 }] }] : [],
    }
  },

  'unsupported-file': whenFailedWith(
    ['SCRAPE_UNSUPPORTED_FILE_ERROR', 'UNSUPPORTED_FILE_TYPE', 'DOCUMENT_DAMAGED', 'DOCUMENT_EMPTY'],
    (facts) => ({
      confidence: 0.95,
      diagnosis: jobErrorOf(facts, 'The file cannot be converted to text.'),
      advice:
        'docs/documents.md lists the types that can be read; check the file in the program that made it.',
    }),
  ),

  'pdf-scanned'(facts) {
    const code = failedWith(facts, 'SCRAPE_PDF_OCR_REQUIRED', 'OCR_NOT_CONFIGURED')
    const isFile = /pdf|image/.test(lastStep(facts, 'convert')?.type ?? '')
    const isThin = isFile && (markdownLength(facts) ?? 1000) < 200
    const hasWarning = quotesWarning(facts, /\bscan|\bOCR\b|text recognition|recogni[sz]ed/i)
    const isFast = /"fast"/.test(JSON.stringify(optionOf(facts, 'parsers') ?? ''))
    if (!code && !isThin && !(isFile && (hasWarning || mentions(facts, /scan|\bocr\b/i)))) return undefined
    const recognition = facts.capabilities.find(({ name }) => name === 'text recognition')
    return {
      confidence: code ? 0.97 : isThin ? 0.9 : 0.8,
      diagnosis: 'The file holds pictures of text, not text.',
      advice: recognition?.available
        ? 'Let the text be recognised: parsers: [{"type": "pdf", "mode": "auto"}] or mode "ocr".'
        : 'Text recognition needs tesseract, which this installation lacks; the operator installs it or sets TESSERACT_PATH.',
      fixes: recognition?.available
        ? [isFast ? 'auto' : 'ocr', 'ocr'].map((mode) => ({ parsers: [{ type: 'pdf', mode }] }))
        : [],
    }
  },
}
