import type { Context } from './command.ts'
import { jsonOrFile, setField } from './request.ts'
import { UsageError } from './usage-error.ts'

/**
 * Adds formats and headers, whose flags do not map to one field. `prefix` is the path of the scrape options in the
 * request.
 */
export function addPageRequest({ body, values }: Context, prefix = ''): void {
  const headers = values.lists.get('header') ?? []
  for (const header of headers) {
    const colon = header.indexOf(':')
    if (colon < 1) throw new UsageError(`--header takes "NAME: VALUE", not "${header}".`)
    setField(body, `${prefix}headers`, {
      ...getHeaders(body, prefix),
      [header.slice(0, colon).trim()]: header.slice(colon + 1).trim(),
    })
  }
  const schema = values.texts.get('schema')
  const question = values.texts.get('question')
  const formatNames = values.lists.get('format') ?? []
  const formats = [
    ...formatNames.filter((name) => !(name === 'json' && schema !== undefined)),
    ...(schema === undefined ? [] : [{ type: 'json', schema: jsonOrFile(schema, '--schema') }]),
    ...(question === undefined ? [] : [{ type: 'question', question }]),
  ]
  if (schema !== undefined || question !== undefined) setField(body, `${prefix}formats`, formats)
}

function getHeaders(body: Record<string, unknown>, prefix: string): object {
  const scrapeOptions =
    prefix === '' ? body : (body[prefix.replace('.', '')] as Record<string, unknown> | undefined)
  const headers = scrapeOptions?.headers
  return typeof headers === 'object' && headers !== null ? headers : {}
}
