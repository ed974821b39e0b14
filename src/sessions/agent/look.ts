import type { Frame, Page } from 'playwright-core'

/** Characters of an outline that the model gets at a time. */
export const outlineLimit = 40_000

/** A page as the model sees it. */
export interface View {
  url: string
  title: string
  outline: string
}

export async function look(page: Page, timeoutMs: number): Promise<View> {
  const outline = await page.ariaSnapshot({ mode: 'ai', timeout: timeoutMs })
  const passwords = await Promise.all(page.frames().map(typedPasswords))
  return {
    url: page.url(),
    title: (await page.title()).slice(0, 300),
    outline: hidePasswords(outline, passwords.flat()),
  }
}

/** One part of an outline, with a note if there is more. */
export function partOf(outline: string, part: number): string {
  const parts = Math.max(1, Math.ceil(outline.length / outlineLimit))
  const chosen = Math.min(part, parts)
  const text = outline.slice((chosen - 1) * outlineLimit, chosen * outlineLimit)
  return parts === 1 ? text : `${text}\n(part ${chosen} of ${parts}; the tool snapshot shows the others)`
}

export function hasRef(outline: string, ref: string): boolean {
  return outline.includes(`[ref=${ref}]`)
}

/** The element of a ref, for people: `link "Pricing"`. */
export function nameOfRef(outline: string, ref: string): string {
  const line = outline.split('\n').find((text) => hasRef(text, ref)) ?? ''
  const name = line
    .trim()
    .replace(/^- /, '')
    .replace(/ \[.*$/, '')
  return `${name.slice(0, 120)} (${ref})`
}

/** The outline contains field values, including passwords that a profile may have filled in. */
async function typedPasswords(frame: Frame): Promise<string[]> {
  try {
    const fields = frame.locator('input[type=password]')
    return await fields.evaluateAll((found) =>
      found.map((field) => (field instanceof HTMLInputElement ? field.value : '')),
    )
  } catch {
    // The frame was removed during the call, together with its fields.
    return []
  }
}

/** A value follows the field, or is on a separate line below if the field has more details. */
const valueLine = /^(\s*- (?:textbox .*\]|text)): (.*)$/

function hidePasswords(outline: string, passwords: string[]): string {
  const hidden = new Set(passwords.map(inOneLine).filter((value) => value !== ''))
  if (hidden.size === 0) return outline
  return outline
    .split('\n')
    .map((line) => {
      const [, field, value] = valueLine.exec(line) ?? []
      return value !== undefined && hidden.has(inOneLine(unquoted(value))) ? `${field}: [hidden]` : line
    })
    .join('\n')
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Values that YAML would read as another type are quoted. */
function unquoted(value: string): string {
  if (/^'.*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'")
  if (!/^".*"$/.test(value)) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return value
  }
}
