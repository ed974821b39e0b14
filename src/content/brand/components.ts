import type { ButtonLook } from './buttons.ts'
import { radiusOf } from './buttons.ts'
import { distance, hexOf } from './colour.ts'
import { withEvidence } from './evidence.ts'
import type { PaintedPage } from './painted.ts'
import { commonest, ranked, tally } from './tally.ts'

export function brandComponents({ elements }: PaintedPage, looks: ButtonLook[]) {
  const primary = looks.find(({ isFilled }) => isFilled) ?? looks[0]
  const secondary = looks.find((look) => primary && look !== primary && differs(look, primary))
  const inputs = elements.filter(({ kind }) => kind === 'input')
  const [edge] = tally(inputs.flatMap(({ edge }) => (edge ? [{ colour: edge, weight: 1 }] : [])))
  return withEvidence({
    buttonPrimary: primary && describe(primary),
    buttonSecondary: secondary && describe(secondary),
    input: withEvidence({
      borderColor: edge && hexOf(edge.colour),
      borderRadius: commonest(inputs.map(({ radius }) => ({ value: radiusOf(radius), weight: 1 }))),
    }),
  })
}

function differs(one: ButtonLook, other: ButtonLook): boolean {
  return one.isFilled !== other.isFilled || distance(one.background, other.background) > 0.05
}

function describe(look: ButtonLook) {
  return withEvidence({
    background: hexOf(look.background),
    textColor: hexOf(look.text),
    borderColor: look.border && hexOf(look.border),
    borderRadius: look.radius,
  })
}

export function brandAnimations({ elements }: PaintedPage) {
  const moving = elements.filter(({ kind }) => kind === 'button' || kind === 'link' || kind === 'input')
  const [most] = ranked(
    moving.flatMap(({ transition }) =>
      transition ? [{ value: `${first(transition.duration)} ${first(transition.easing)}`, weight: 1 }] : [],
    ),
  )
  if (!most || most.weight < 2) return {}
  const [duration, ...easing] = most.value.split(' ')
  return withEvidence({ transitionDuration: duration, easing: easing.join(' ') })
}

/** The first entry of a list of times or curves, one per property; a curve contains commas itself. */
function first(list: string): string {
  return /^[a-z-]+\([^)]*\)|^[^,]+/.exec(list)?.[0] ?? list
}
