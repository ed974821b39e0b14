type Json = Record<string, unknown>

interface Operation {
  summary: string
  tags: string[]
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Json }[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>
}

/** The OpenAPI document as one readable page: no script, no outside asset. */
export function docsPage(api: Json): string {
  // Made by openApi() in the file next door, which has this shape.
  const { info, paths, components } = api as {
    info: { title: string; version: string; description: string }
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Json> }
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const anchor = (entry: { method: string; path: string }) =>
    `${entry.method}${entry.path.replaceAll(/[/{}]+/g, '-')}`
  const index = operations.map(
    (entry) =>
      `<li><a href="#${anchor(entry)}"><code>${entry.method} ${text(entry.path)}</code></a> ${text(entry.operation.summary)}</li>`,
  )
  const sections = operations.map(
    (entry) =>
      `<section id="${anchor(entry)}"><h2><code>${entry.method} ${text(entry.path)}</code></h2>${operationBody(entry.operation)}</section>`,
  )
  const named = Object.entries(components.schemas).map(
    ([name, schema]) => `<section id="${name}"><h2>${name}</h2>${fields(schema)}</section>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${text(info.title)} ${text(info.version)}: reference</title><style>${style}</style>
<main><h1>${text(info.title)} <small>${text(info.version)}</small></h1><p>${text(info.description)}</p>
<p>Every call under <code>/v2</code> carries <code>Authorization: Bearer &lt;key&gt;</code>. The same reference for programs:
<a href="/v2/openapi.json">openapi.json</a>.</p><ul>${index.join('')}</ul>${sections.join('')}${named.join('')}</main></html>`
}

function operationBody(operation: Operation): string {
  const body = operation.requestBody?.content['application/json']?.schema
  const response = operation.responses['200']?.content?.['application/json']?.schema
  const errors = Object.entries(operation.responses).filter(([status]) => status !== '200')
  const parameters = operation.parameters.map((parameter) =>
    row(parameter.name, parameter.schema, {
      note: `${parameter.in}. ${parameter.description ?? ''}`,
      isRequired: parameter.required,
    }),
  )
  return [
    `<p>${text(operation.summary)}.</p>`,
    parameters.length > 0 ? `<h3>Parameters</h3>${table(parameters)}` : '',
    body ? `<h3>Body</h3>${fields(body)}` : '',
    response ? `<h3>Answer</h3>${fields(response)}` : '',
    `<h3>Errors</h3><dl>${errors.map(([status, { description }]) => `<dt>${status}</dt><dd>${marked(description)}</dd>`).join('')}</dl>`,
  ].join('')
}

function fields(schema: Json): string {
  const properties = (schema.properties ?? {}) as Record<string, Json>
  const required = (schema.required ?? []) as string[]
  return table(
    Object.entries(properties).map(([name, property]) =>
      row(name, property, { note: String(property.description ?? ''), isRequired: required.includes(name) }),
    ),
  )
}

const table = (rows: string[]) =>
  `<table><thead><tr><th>Field<th>Type<th>Default<th>Meaning</tr></thead><tbody>${rows.join('')}</tbody></table>`

function row(name: string, schema: Json, about: { note: string; isRequired: boolean }): string {
  const fallback = schema.default === undefined ? '' : `<code>${text(JSON.stringify(schema.default))}</code>`
  return `<tr><td><code>${text(name)}</code>${about.isRequired ? ' <b>required</b>' : ''}<td>${typeText(schema)}<td>${fallback}<td>${text(about.note)}${nested(schema)}</tr>`
}

/** What stands inside: the fields of an object, and of each object that may be chosen or listed. */
function nested(schema: Json): string {
  if (schema.type === 'object' && schema.properties) return fields(schema)
  if (schema.type === 'array') return nested((schema.items ?? {}) as Json)
  const choices = ((schema.anyOf ?? schema.oneOf ?? []) as Json[]).filter((choice) => nested(choice) !== '')
  if (choices.length === 1 && choices[0]) return nested(choices[0])
  return choices.map((choice) => folded(choice)).join('')
}

function folded(choice: Json): string {
  const { type } = (choice.properties ?? {}) as { type?: Json }
  const title = type?.const === undefined ? typeOf(choice) : String(type.const)
  const note = choice.description === undefined ? '' : ` ${text(String(choice.description))}`
  return `<details><summary><code>${text(title)}</code>${note}</summary>${nested(choice)}</details>`
}

/** A named type leads to where it is described. */
function typeText(schema: Json): string {
  const whole = schema.type === 'array' ? ((schema.items ?? {}) as Json) : schema
  if (typeof whole.$ref !== 'string') return text(typeOf(schema))
  return `${whole === schema ? '' : 'list of '}<a href="#${nameIn(whole.$ref)}">${nameIn(whole.$ref)}</a>`
}

const nameIn = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

function typeOf(schema: Json): string {
  if (typeof schema.$ref === 'string') return nameIn(schema.$ref)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices) return [...new Set(choices.map(typeOf))].join(' | ')
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as Json)}`
  const range = [schema.minimum, schema.maximum].every(
    (bound) => typeof bound === 'number' && Math.abs(bound) < 1e15,
  )
  return `${schema.type ?? 'any'}${range ? ` ${schema.minimum}–${schema.maximum}` : ''}`
}

function text(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const marked = (value: string) =>
  text(value)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll('\n\n', '<br>')

const style = `
:root{color-scheme:light dark}body{font:16px/1.55 system-ui,sans-serif;margin:0}main{max-width:60rem;margin:auto;padding:2rem 1rem 6rem}
h1 small{font-weight:400;opacity:.6}h2{margin-top:3rem;border-top:1px solid #8884;padding-top:1.5rem}h3{margin-bottom:.4rem}
table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #8883}
td table{margin-top:.5rem}summary{cursor:pointer}details{margin-top:.3rem}code{font:0.92em ui-monospace,monospace;background:#8881;padding:.1em .3em;border-radius:.25em}h2 code{background:none;padding:0}
dt{font-weight:600;float:left;clear:left;width:3rem}dd{margin:0 0 .5rem 3.5rem;font-size:.92rem}ul{padding-left:1.2rem}`
