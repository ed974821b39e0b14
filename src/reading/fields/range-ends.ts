export const lows = new Set(
  'min minimum from lowest low lower ab von desde cheapest starting least'.split(' '),
)
export const highs = new Set('max maximum to highest high upper bis hasta until most'.split(' '))

export function boundOf(own: readonly string[], outer: readonly string[]): 'low' | 'high' | undefined {
  if (own.length + outer.length < 2) return undefined
  for (const word of [own[0] ?? '', own.at(-1) ?? '']) {
    if (lows.has(word)) return 'low'
    if (highs.has(word)) return 'high'
  }
  return undefined
}
