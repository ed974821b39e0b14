import type { StyleSnapshot } from '../style-snapshot.ts'
import type { Colour } from './colour.ts'
import { readColour } from './read-colour.ts'

/** A colour that the page has given a name. */
export interface Declared {
  /** What is left of the name without its setting: `--color-primary-500` is `primary`. */
  word: string
  colour: Colour
  /** Every site made with that framework has it, used or not. */
  isOfFramework: boolean
}

const setting = /^-(?:(?:bs|md-sys|wp-preset|theme|site|ui|app|global|e-global)-)?(?:(?:colors?|clr|c)-)?/

export function declaredColours({ variables }: StyleSnapshot): Declared[] {
  return variables.flatMap(({ name, value }) => {
    const plain = name.toLowerCase().replace(/[_-]+/g, '-')
    const word = plain.replace(setting, '').replace(/-(?:colors?|default|main|base|500|600)$/, '')
    const colour = readColour(value)
    if (!colour || colour.alpha < 0.5) return []
    return [{ word, colour, isOfFramework: /^-(?:bs|wp)-/.test(plain) }]
  })
}
