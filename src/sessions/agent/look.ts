import type { Frame, Page } from 'playwright-core'

export const outlineLimit = 40_000

export type View = Awaited<ReturnType<typeof readView>>

/** Reads the page in the form that the model gets. Values of password fields are hidden. */
export async function readView(page: Page, timeoutMs: number) {
  const outline = await page.ariaSnapshot({ mode: 'ai', timeout: timeoutMs })
  const passwords = await Promise.all(page.frames().map(readPasswords))
  return {
    url: page.url(),
    title: (await page.title()).slice(0, 300),
    outline: hidePasswords(outline, passwords.flat()),
  }
}

export function outlinePart(outline: string, part: number): string {
  const parts = Math.max(1, Math.ceil(outline.length / outlineLimit))
  const selected = Math.min(part, parts)
  const text = outline.slice((selected - 1) * outlineLimit, selected * outlineLimit)
  return parts === 1 ? text : `${text}\n(part ${selected} of ${parts}; the tool snapshot shows the others)`
}

export const hasRef = (outline: string, ref: string) => outline.includes(`[ref=${ref}]`)

/** Returns the element of a ref as readable text: `link "Pricing"`. */
export function nameOfRef(outline: string, ref: string): string {
  const line = outline.split('\n').find((text) => hasRef(text, ref)) ?? ''
  const name = line
    .trim()
    .replace(/^- /, '')
    .replace(/ \[.*$/, '')
  return `${name.slice(0, 120)} (${ref})`
}

/** Returns the values of password fields, which a profile may have filled in; the outline contains field values. */
async function readPasswords(frame: Frame): Promise<string[]> {
  try {
    const fields = frame.locator('input[type=password]')
    return await fields.evaluateAll((inputs) =>
      inputs.map((field) => (field instanceof HTMLInputElement ? field.value : '')),
    )
  } catch {
    // The frame was removed during the call, together with its fields.
    return []
  }
}

/** The value of a field is on a separate line if the field has further details. */
const valueLine = /^(\s*- (?:textbox .*\]|text)): (.*)$/

function hidePasswords(outline: string, passwords: string[]): string {
  const hidden = new Set(passwords.map(toOneLine).filter((value) => value !== ''))
  if (hidden.size === 0) return outline
  return outline
    .split('\n')
    .map((line) => {
      const [, field, value] = valueLine.exec(line) ?? []
      return value !== undefined && hidden.has(toOneLine(unquote(value))) ? `${field}: [hidden]` : line
    })
    .join('\n')
}

const toOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

function unquote(value: string): string {
  if (/^'.*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'")
  if (!/^".*"$/.test(value)) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return value
  }
}
