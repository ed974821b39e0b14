import type { Context } from './command.ts'
import { jsonOrFile, put } from './request.ts'
import { UsageError } from './usage-error.ts'

/** What flags say about formats and headers takes more than a name and a value. `within` is where the request has them. */
export function addPageRequest({ body, values }: Context, within = ''): void {
  const headers = values.lists.get('header') ?? []
  for (const header of headers) {
    const at = header.indexOf(':')
    if (at < 1) throw new UsageError(`--header takes "NAME: VALUE", not "${header}".`)
    put(body, `${within}headers`, {
      ...headersIn(body, within),
      [header.slice(0, at).trim()]: header.slice(at + 1).trim(),
    })
  }
  const schema = values.texts.get('schema')
  const question = values.texts.get('question')
  const given = values.lists.get('format') ?? []
  const formats = [
    ...given.filter((name) => !(name === 'json' && schema !== undefined)),
    ...(schema === undefined ? [] : [{ type: 'json', schema: jsonOrFile(schema, '--schema') }]),
    ...(question === undefined ? [] : [{ type: 'question', question }]),
  ]
  if (schema !== undefined || question !== undefined) put(body, `${within}formats`, formats)
}

function headersIn(body: Record<string, unknown>, within: string): object {
  const place = within === '' ? body : (body[within.replace('.', '')] as Record<string, unknown> | undefined)
  const headers = place?.headers
  return typeof headers === 'object' && headers !== null ? headers : {}
}
