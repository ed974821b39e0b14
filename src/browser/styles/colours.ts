import type { StyleSnapshot } from '../../content/style-snapshot.ts'

/** Understands colours as the browser does. */
export type Canvas = CanvasRenderingContext2D | null

export const colourParts = { themeColor, variables, variableColour, normalised }

/** Runs in the page. */
export function themeColor(canvas: Canvas): string | undefined {
  const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color" i]')]
  const meant = metas.find(({ media }) => !media || matchMedia(media).matches)
  return meant && normalised(canvas, meant.content)
}

/** Runs in the page. */
export function variables(body: Element, canvas: Canvas): StyleSnapshot['variables'] {
  const found: StyleSnapshot['variables'] = []
  // The body has what the root has, and what is set on itself.
  for (const [name, values] of body.computedStyleMap()) {
    if (found.length >= 600) break
    const value = name.startsWith('--') ? variableColour(canvas, String([...values][0]).trim()) : undefined
    if (value && name.length <= 200) found.push({ name, value })
  }
  return found
}

/** Some frameworks keep only the numbers of a colour, to be put into a function where it is used. */
function variableColour(canvas: Canvas, value: string): string | undefined {
  if (/^[\d.]+(?:deg)?\s+[\d.]+%\s+[\d.]+%$/.test(value)) return normalised(canvas, `hsl(${value})`)
  if (/^\d{1,3}(?:\s*,\s*|\s+)\d{1,3}(?:\s*,\s*|\s+)\d{1,3}$/.test(value)) {
    return normalised(canvas, `rgb(${value})`)
  }
  return /^(?:#|[a-z])/i.test(value) ? normalised(canvas, value) : undefined
}

/** A colour in the browser's own notation. Nothing for what is not a colour. */
function normalised(canvas: Canvas, value: string): string | undefined {
  if (!canvas || value.length > 100 || /currentcolor|inherit/i.test(value)) return undefined
  canvas.fillStyle = '#010203'
  canvas.fillStyle = value
  return canvas.fillStyle === '#010203' ? undefined : canvas.fillStyle
}
