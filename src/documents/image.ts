import { type ConvertedDocument, type ConvertOptions, DocumentProblem } from './document.ts'
import { finish } from './finish.ts'
import type { DocumentType } from './index.ts'
import { recognise } from './ocr/recognise.ts'
import { layOut } from './pdf/layout.ts'

/** Pictures of text. */
export async function convert(
  bytes: Buffer,
  _: DocumentType,
  options: ConvertOptions,
): Promise<ConvertedDocument> {
  if (options.tesseract === undefined) {
    throw new DocumentProblem(
      'ocr-missing',
      'The file is an image, and no program to recognise its text was found.',
    )
  }
  // When the time is over, this process ends and the program with it.
  const { signal } = new AbortController()
  const page = await recognise(bytes, { pageNumber: 1 }, { program: options.tesseract, signal })
  const markdown = layOut([page])
    .map((one) => one.markdown)
    .join('\n\n')
  const warnings = markdown.trim() === '' ? ['No text was recognised in the image.'] : []
  return finish(markdown, { warnings })
}
