/** What schema.org calls the diets that an item suits. */
const ofSchema: Record<string, string> = {
  ...{ vegandiet: 'vegan', vegetariandiet: 'vegetarian', glutenfreediet: 'gluten-free', halaldiet: 'halal' },
  ...{ kosherdiet: 'kosher', lowlactosediet: 'low-lactose', diabeticdiet: 'diabetic', hindudiet: 'hindu' },
  ...{ lowcaloriediet: 'low-calorie', lowfatdiet: 'low-fat', lowsaltdiet: 'low-salt' },
}

/** Words and signs that say it in full. */
const inWords: [string, RegExp][] = [
  ['vegan', /(?<!\p{L})(?:vegane?[rsn]?|vegano|vegana|végétaliens?|végétaliennes?|vgn)(?!\p{L})/iu],
  [
    'vegetarian',
    /(?<!\p{L})(?:vegetarian|vegetarisch\p{L}{0,2}|végétariens?|végétariennes?|vegetarian[oa]s?|wegetaria\p{L}{1,6}|veggie)(?!\p{L})/iu,
  ],
  [
    'gluten-free',
    /(?<!\p{L})(?:gluten[- ]?free|glutenfrei\p{L}{0,2}|sans gluten|sin gluten|senza glutine|sem glúten|glutenvrij|glutenfri\p{L}{0,1})(?!\p{L})/iu,
  ],
  [
    'dairy-free',
    /(?<!\p{L})(?:dairy[- ]?free|lactose[- ]?free|laktosefrei\p{L}{0,2}|sans lactose|sin lactosa|senza lattosio)(?!\p{L})/iu,
  ],
  ['halal', /(?<!\p{L})halal(?!\p{L})/iu],
  ['kosher', /(?<!\p{L})(?:kosher|koscher|casher)(?!\p{L})/iu],
]

const dietNames = new Set(inWords.map(([name]) => name))
/** Marks that mean the same on every menu; "V" does not. */
const sureMarks: Record<string, string> = { gf: 'gluten-free', df: 'dairy-free', vgn: 'vegan' }

/** What the marks of a page mean: those that are always clear, and those that it explains. */
export type Marks = ReadonlyMap<string, string>

const legend = /(?<![\p{L}\p{N}])\(?([A-Za-z]{1,3})\)?\s?(?:=|:|–|-)\s?(\p{L}[\p{L} -]{3,24})/gu

/** Reads the legend of a menu: "V = vegetarian". */
export function marksOf(lines: readonly string[]): Marks {
  const marks = new Map(Object.entries(sureMarks))
  for (const line of lines) {
    if (line.length > 400) continue
    for (const [, mark = '', meaning = ''] of line.matchAll(legend)) {
      const [diet] = dietsInWords(meaning)
      if (diet !== undefined) marks.set(mark.toLowerCase(), diet)
    }
  }
  return marks
}

/** Diets by the names that schema.org has for them, with or without its address. */
export function dietsOfSchema(values: readonly string[]): string[] {
  const named = values.map((value) => value.split('/').at(-1)?.toLowerCase() ?? '')
  return named.flatMap((name) =>
    Object.hasOwn(ofSchema, name) ? (ofSchema[name] ?? []) : dietNames.has(name) ? name : [],
  )
}

/** A text says so unless it denies it: "vegan" and "not vegan". */
export function dietsInWords(text: string): string[] {
  return inWords.flatMap(([name, pattern]) => {
    const match = pattern.exec(text)
    const isDenied =
      match !== null &&
      /(?:\bnot|\bnon|\bno|\bnicht|\bpas|\boption\p{L}*|\bavailable)\s*$/iu.test(text.slice(0, match.index))
    return match && !isDenied ? [name] : []
  })
}

const marked =
  /\s*[([]\s*((?:[A-Za-z]{1,3}\s*[,/·&+]?\s*){1,6})[)\]]|\s+((?:[A-Z]{1,3}\s*[,/·]\s*){0,5}[A-Z]{1,3})\s*$/gu

/** The marks behind a name, and the name without them. A mark that is not understood stays. */
export function readMarks(name: string, marks: Marks): { name: string; diets: string[] } {
  const diets: string[] = []
  const rest = name.replace(marked, (whole, inBrackets?: string, atEnd?: string) => {
    const found = (inBrackets ?? atEnd ?? '').split(/[^A-Za-z]+/).filter(Boolean)
    const meant = found.map((mark) => marks.get(mark.toLowerCase()))
    if (found.length === 0 || meant.includes(undefined)) return whole
    diets.push(...meant.filter((diet) => diet !== undefined))
    return ''
  })
  return { name: rest.trim() || name, diets }
}

const energy = /(?<![\p{L}\p{N}.,])(\d{1,4})(?:[.,]\d)?\s?(?:k?cal(?:ories|orías|orie)?|kalorien)(?!\p{L})/iu

/** The energy of a portion that a text states, in kilocalories. */
export function caloriesIn(text: string): number | undefined {
  const digits = energy.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
