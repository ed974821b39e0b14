import { z } from 'zod'
import { extractRequest } from '../../features/extract/schema.ts'
import { postExtract } from '../../http/endpoints/extract.ts'
import { asRecord } from '../document-text.ts'
import { showJob } from '../job-text.ts'
import { given, label, optional, schemaField } from '../page-options.ts'
import { defineTool, maxCharacters, startsReading, waitSeconds } from '../tool.ts'

const { urls, prompt, limit, showSources, enableWebSearch } = extractRequest.shape

export const extract = defineTool({
  name: 'extract',
  title: 'Read values from several pages',
  description:
    'Reads values from one or several pages, or from a whole site (a URL that ends in /*), and joins them to one object in the shape of the schema. Values by a schema need no language model; a prompt alone does.',
  hints: startsReading,
  input: z.strictObject({
    urls: urls
      .unwrap()
      .optional()
      .describe('Pages to read. One that ends in /* stands for the site below it.'),
    schema: schemaField.describe('JSON schema of the values.'),
    prompt,
    limit: limit.unwrap().optional().describe('Most pages of a site.'),
    showSources: optional(showSources),
    enableWebSearch: optional(enableWebSearch),
    waitSeconds: waitSeconds(30),
    maxCharacters,
  }),
  async run(tool) {
    const { waitSeconds: seconds, maxCharacters: most, ...options } = tool.input
    const { id } = asRecord(await tool.call(postExtract, { body: { ...given(options), ...label } }))
    return showJob(tool, { kind: 'extract', id: String(id), seconds, skip: 0, limit: 1, most })
  },
})
