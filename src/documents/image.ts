import { type ConvertedDocument, type ConvertOptions, DocumentProblem } from './document.ts'
import { finish } from './finish.ts'
import { recognise } from './ocr/recognise.ts'
import { layOut } from './pdf/layout.ts'
import type { DocumentType } from './types/document-type.ts'

/** Left for what follows the recognition. */
const reserveMs = 1000

/** Pictures of text. */
export async function convert(
  bytes: Buffer,
  _: DocumentType,
  options: ConvertOptions,
): Promise<ConvertedDocument> {
  if (options.tesseract === undefined) {
    throw new DocumentProblem('ocr-missing', 'The file is an image, and no OCR program was found.')
  }
  // Shortly before the deadline: the text read by then is the result.
  const signal = AbortSignal.timeout(Math.max(1, Math.floor(options.withinMs - reserveMs)))
  const how = { program: options.tesseract, signal }
  const page = await recognise(bytes, { pageNumber: 1 }, how).catch((thrown) => {
    if (!signal.aborted) throw thrown
    throw new DocumentProblem('limit', 'OCR of the image did not finish in time. Raise timeout.')
  })
  const markdown = layOut([page])
    .map((one) => one.markdown)
    .join('\n\n')
  const warnings = markdown.trim() === '' ? ['OCR found no text in the image.'] : []
  return finish(markdown, { warnings })
}
