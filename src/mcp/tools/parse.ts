import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { text } from '../../base/bounded.ts'
import { AppError } from '../../base/errors.ts'
import { withTemporaryFolder, writeTemporaryFile } from '../../base/temporary-files.ts'
import { scrapeRequest } from '../../features/scrape/schema.ts'
import { postParse } from '../../http/endpoints/parse.ts'
import { postScrape } from '../../http/endpoints/scrape.ts'
import { asRecord, showDocument } from '../document-text.ts'
import { contentFields, formatsOf, given, label } from '../page-options.ts'
import { defineTool, maxCharacters, readsWeb, type Sent } from '../tool.ts'

const input = z.strictObject({
  url: scrapeRequest.shape.url.optional().describe('Where the file is. Exactly one of url and content.'),
  content: text('MAX_MCP_CONTENT_LENGTH').min(1).optional().describe('The file itself.'),
  encoding: z
    .enum(['text', 'base64'])
    .default('text')
    .describe('How content stands for the bytes of the file: base64 for everything that is not plain text.'),
  name: text('MAX_FILE_NAME_LENGTH')
    .min(1)
    .optional()
    .describe('Name of the file, with its ending: report.docx.'),
  ...contentFields,
  maxCharacters,
})

export const parse = defineTool({
  name: 'parse',
  title: 'Read a file',
  description:
    'Converts a file (PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, CSV, images with text, HTML, …) to Markdown: from a URL, or from content that you send along with a name.',
  hints: readsWeb,
  input,
  async run({ input, call, fence, holdFile }) {
    const { url, content, maxCharacters: most } = input
    if ((url === undefined) === (content === undefined)) throw bad('Give exactly one of url and content.')
    const body = { ...given({ formats: formatsOf(input) }), ...label }
    const answer =
      url === undefined
        ? await withFile(input, holdFile, (upload) => call(postParse, { body, upload }))
        : await call(postScrape, { body: { url, ...body } })
    return showDocument(asRecord(answer).data, { most, fence }).then(({ text }) => ({ text }))
  },
})

/** The file exists as long as the call. Its name never becomes a path. */
async function withFile<Answer>(
  { content = '', encoding, name }: z.output<typeof input>,
  holdFile: (bytes: number) => Promise<() => void>,
  use: (upload: NonNullable<Sent['upload']>) => Promise<Answer>,
): Promise<Answer> {
  if (name === undefined) throw bad('content needs a name, such as report.docx.')
  if (encoding === 'base64' && /[^\sA-Za-z0-9+/_=-]/.test(content)) throw bad('content is no base64.')
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8')
  const release = await holdFile(bytes.length)
  try {
    return await withTemporaryFolder('upload', async (folder) => {
      const path = join(folder, randomBytes(8).toString('hex'))
      await writeTemporaryFile(path, bytes)
      return use({ path, name, mediaType: undefined, size: bytes.length })
    })
  } finally {
    release()
  }
}

function bad(message: string): AppError {
  return new AppError('BAD_REQUEST', { details: [] }, { message })
}
