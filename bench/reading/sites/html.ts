/** Text that is HTML already; anything else is escaped where a template takes it. */
export interface Html {
  readonly html: string
}

export type Insert = string | number | Html | false | undefined | readonly Insert[]

/** Escapes what it inserts, joins lists, and leaves out what is absent. */
export function html(parts: TemplateStringsArray, ...inserts: Insert[]): Html {
  return { html: parts.map((part, place) => part + written(inserts[place])).join('') }
}

export const raw = (text: string): Html => ({ html: text })

/** JSON as a page writes it: each insert becomes a value of it. */
export function json(parts: TemplateStringsArray, ...inserts: JsonInsert[]): Html {
  return {
    html: parts.map((part, place) => part + (place < inserts.length ? stated(inserts[place]) : '')).join(''),
  }
}

export type JsonInsert = string | number | boolean | Html | undefined | readonly JsonInsert[]

function stated(insert: JsonInsert): string {
  if (typeof insert === 'object' && 'html' in insert) return insert.html
  if (typeof insert === 'object') return `[${insert.map(stated).join(',')}]`
  return JSON.stringify(insert ?? null).replaceAll('<', '\\u003c')
}

function written(insert: Insert): string {
  if (insert === undefined || insert === false) return ''
  if (typeof insert === 'number') return String(insert)
  if (typeof insert === 'string') return escaped(insert)
  if ('html' in insert) return insert.html
  return insert.map(written).join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
