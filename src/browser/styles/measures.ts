/** Measures of elements and of what they say. Run in the page, as parts of scripts. */
export const measureParts = { rectangle, pixels, short }

/** Where an element stands on the whole page. */
export function rectangle(element: Element) {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x: x + scrollX, y: y + scrollY, width, height }
}

export function pixels(length: string): number {
  return Number.parseFloat(length) || 0
}

export function short(text: string | null | undefined, most: number): string {
  return (text ?? '')
    .slice(0, most * 5)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)
}
