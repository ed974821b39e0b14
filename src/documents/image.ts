import { DocumentProblem } from './document.ts'
import { toConvertedDocument } from './finish.ts'
import { recognise } from './ocr/recognise.ts'
import { layOut } from './pdf/layout.ts'
import type { Convert } from './types/document-type.ts'

export const convert: Convert = async (bytes, _, options) => {
  if (options.tesseract === undefined) {
    throw new DocumentProblem('ocr-missing', 'The file is an image, and no OCR program was found.')
  }
  // Aborts shortly before the deadline, so that the text read by then can be returned.
  const signal = AbortSignal.timeout(Math.max(1, Math.floor(options.timeoutMs - 1000)))
  const ocr = { program: options.tesseract, signal }
  const page = await recognise(bytes, { pageNumber: 1 }, ocr).catch((thrown) => {
    if (!signal.aborted) throw thrown
    throw new DocumentProblem('limit', 'OCR of the image did not finish in time. Raise timeout.')
  })
  const markdown = layOut([page])
    .map(({ markdown }) => markdown)
    .join('\n\n')
  const warnings = markdown.trim() === '' ? ['OCR found no text in the image.'] : []
  return toConvertedDocument(markdown, { warnings })
}
