export const lows = new Set(
  'min minimum minimal mini minimo minima from lowest low lower ab von desde cheapest starting least mindest'.split(
    ' ',
  ),
)
export const highs = new Set(
  'max maximum maximal maxi maximo maxima massimo massima to highest high upper bis hasta until most hochst'.split(
    ' ',
  ),
)

export function boundOf(own: readonly string[], outer: readonly string[]): 'low' | 'high' | undefined {
  if (own.length + outer.length < 2) return undefined
  for (const word of [own[0] ?? '', own.at(-1) ?? '']) {
    if (lows.has(word)) return 'low'
    if (highs.has(word)) return 'high'
  }
  return undefined
}
