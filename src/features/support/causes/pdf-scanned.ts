import { defineCause } from '../cause.ts'
import { failedWith, lastStep, markdownLength, optionOf, speaksOf, warnsOf } from '../support-case.ts'

export const pdfScanned = defineCause({
  name: 'pdf-scanned',
  find(facts) {
    const code = failedWith(facts, 'SCRAPE_PDF_OCR_REQUIRED', 'OCR_NOT_CONFIGURED')
    const isFile = /pdf|image/.test(lastStep(facts, 'convert')?.type ?? '')
    const isThin = isFile && (markdownLength(facts) ?? 1000) < 200
    const isTold = warnsOf(facts, /\bscan|\bOCR\b|text recognition|recogni[sz]ed/i)
    const isFast = /"fast"/.test(JSON.stringify(optionOf(facts, 'parsers') ?? ''))
    if (!code && !isThin && !(isFile && (isTold || speaksOf(facts, /scan|\bocr\b/i)))) return undefined
    const recognition = facts.capabilities.find(({ name }) => name === 'text recognition')
    return {
      sureness: code ? 0.97 : isThin ? 0.9 : 0.8,
      diagnosis: 'The file holds pictures of text, not text.',
      advice: recognition?.available
        ? 'Let the text be recognised: parsers: [{"type": "pdf", "mode": "auto"}] or mode "ocr".'
        : 'Text recognition needs tesseract, which this installation lacks; the operator installs it or sets TESSERACT_PATH.',
      fixes: recognition?.available
        ? [
            { parsers: [{ type: 'pdf', mode: isFast ? 'auto' : 'ocr' }] },
            { parsers: [{ type: 'pdf', mode: 'ocr' }] },
          ]
        : [],
    }
  },
})
