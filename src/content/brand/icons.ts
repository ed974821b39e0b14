import { type Colour, hexOf } from './colour.ts'
import { withEvidence } from './evidence.ts'
import type { Painted, PaintedPage } from './painted.ts'
import { readColour } from './read-colour.ts'
import { commonest, tally } from './tally.ts'

const leastIcons = 3
const largestIcon = 64

type IconStyle = 'outline' | 'filled'

/** The style of the icons of a page, if there are enough of them. */
export function brandIcons({ elements }: PaintedPage) {
  const icons = elements.filter(
    ({ kind, rect }) => kind === 'icon' && rect.width <= largestIcon && rect.height <= largestIcon,
  )
  if (icons.length < leastIcons) return {}
  const styles = icons.flatMap((icon) => {
    const value = styleOf(icon)
    return value ? [{ value, weight: 1 }] : []
  })
  const [ink] = tally(icons.map((icon) => ({ colour: inkOf(icon), weight: 1 })))
  return withEvidence({ style: commonest(styles), primaryColor: ink && hexOf(ink.colour) })
}

function styleOf({ paint, glyph }: Painted): IconStyle | undefined {
  if (glyph) return glyphStyle(glyph)
  if (!paint) return undefined
  return isOutline(paint) ? 'outline' : 'filled'
}

function isOutline({ fill, stroke }: { fill: string; stroke: string }): boolean {
  return stroke !== 'none' && fill === 'none'
}

/** Fonts of icons say in their names how they are drawn, or keep both kinds apart by their weight. */
function glyphStyle({ family, weight }: { family: string; weight: number }): IconStyle | undefined {
  if (/outline|regular|light|thin|line/i.test(family)) return 'outline'
  if (/awesome/i.test(family)) return weight >= 600 || /brands/i.test(family) ? 'filled' : 'outline'
  return /material|solid|fill/i.test(family) ? 'filled' : undefined
}

/** The colour of an icon, which may differ from that of the surrounding text. */
function inkOf({ paint, ink }: Painted): Colour {
  const drawn = paint && readColour(isOutline(paint) ? paint.stroke : paint.fill)
  return drawn && drawn.alpha > 0.5 ? drawn : ink
}
