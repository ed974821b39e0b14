import { decodeBytes } from '../content/encoding/encoding.ts'

/** Letters beyond ASCII that a language writes, and the encodings of one byte per letter that have them, the usual one first. */
interface Alphabet {
  encodings: string[]
  letters: string
  /** The letters of most words, for scripts in which every encoding gives letters of the same script. */
  frequent?: string
}

const western = ['windows-1252', 'macintosh']
const central = ['windows-1250', 'iso-8859-2']
const baltic = ['windows-1257', 'iso-8859-13', 'iso-8859-4']
const cyrillic = ['windows-1251', 'koi8-u', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic']

/** In order of preference if a text gives no other evidence. */
const alphabets: Alphabet[] = [
  { encodings: western, letters: 'äöüß' },
  { encodings: western, letters: 'àâæçéèêëîïôœùûüÿ' },
  { encodings: western, letters: 'áéíñóúüªº' },
  { encodings: western, letters: 'áâãàçéêíóôõúüªº' },
  { encodings: western, letters: 'àèéìòùîºª' },
  { encodings: western, letters: 'áàçéèíïóòúüŀ·ªº' },
  { encodings: western, letters: 'åäöéü' },
  { encodings: western, letters: 'æøåéòôäö' },
  { encodings: western, letters: 'áæðéíóöþúý' },
  { encodings: western, letters: 'äëéèïöüáóíêç' },
  { encodings: western, letters: 'äõöüšž' },
  { encodings: central, letters: 'ąćęłńóśźż' },
  { encodings: central, letters: 'áčďéěíňóřšťúůýž' },
  { encodings: central, letters: 'áäčďéíĺľňóôŕšťúýž' },
  { encodings: central, letters: 'áéíóöőúüű' },
  { encodings: central, letters: 'čćđšž' },
  { encodings: central, letters: 'ăâîşţ' },
  { encodings: ['windows-1254'], letters: 'çğıİöşüâîû' },
  { encodings: baltic, letters: 'ąčęėįšųūž' },
  { encodings: baltic, letters: 'āčēģīķļņšūž' },
  { encodings: cyrillic, letters: 'абвгдежзийклмнопрстуфхцчшщъыьэюяё', frequent: 'оеаинтсрвлк' },
  { encodings: cyrillic, letters: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя', frequent: 'оанивітрес' },
  { encodings: cyrillic, letters: 'абвгдђежзијклљмнњопрстћуфхцчџш', frequent: 'аоиенрсту' },
  {
    encodings: ['windows-1253', 'iso-8859-7'],
    letters: 'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ',
    frequent: 'αοιετσνηυρςάίό',
  },
  {
    encodings: ['windows-1255', 'iso-8859-8'],
    letters: 'אבגדהוזחטיךכלםמןנסעףפץצקרשתְֱֲֳִֵֶַָֹֻּֽ',
    frequent: 'יוהלאתרבמש',
  },
  {
    encodings: ['windows-1256', 'iso-8859-6'],
    letters: 'ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًٌٍَُِّْپچژگک',
    frequent: 'اليمنرتوبد',
  },
  { encodings: ['windows-874'], letters: thai(), frequent: 'านรอกเงมยลวดทสต่้ี' },
  { encodings: ['windows-1258'], letters: 'àáâãăđèéêìíòóôơùúưýçẬ̀̀́̉̃₫' },
]

/** Marks that texts of any of them have: quotes, dashes, currencies and the like. */
const marks = new Set('\u00a0\u00ad€£§©®°±«»„“”‘’‚‹›–—…•·№¿¡´`²³½%™×¢¥µº')

/** The encoding of one byte per letter whose letters make the words of some language. */
export function byAlphabets(sample: Buffer): string {
  const texts = new Map<string, string>()
  let best = { encoding: 'windows-1252', score: 0.3 }
  for (const alphabet of alphabets) {
    for (const [place, encoding] of alphabet.encodings.entries()) {
      const text = texts.get(encoding) ?? decodeBytes(sample, encoding)
      texts.set(encoding, text)
      // A rare encoding must match better than a common one.
      const score = matchOf(text, alphabet) - (place > 0 ? 0.01 : 0)
      if (score > best.score + 1e-6) best = { encoding, score }
    }
  }
  return best.encoding
}

/** The share of non-ASCII characters that are letters of the alphabet, in positions of letters. */
function matchOf(text: string, { letters, frequent }: Alphabet): number {
  const own = new Set(letters + letters.toUpperCase())
  const often = new Set(frequent)
  const isScript = frequent !== undefined
  const seen = { own: 0, foreign: 0, odd: 0, often: 0 }
  let before = ''
  for (const letter of text) {
    if (letter > '\x7f') {
      if (own.has(letter)) {
        seen.own += 1
        if (often.has(letter)) seen.often += 1
        if (isOdd(before, letter, isScript)) seen.odd += 1
      } else if (!marks.has(letter) || isLetter(before)) seen.foreign += 1
    } else if (isScript && own.has(before) && isLetter(letter)) seen.odd += 1
    before = letter
  }
  if (seen.own === 0) return 0
  const share = (seen.own - seen.odd) / (seen.own + seen.foreign)
  // Two of three letters are frequent ones, unless the encoding is wrong.
  return isScript ? share * Math.min(1, 0.6 + (0.6 * seen.often) / seen.own) : share
}

/** A capital after a small letter, or letters of two scripts in one word. */
function isOdd(before: string, letter: string, isScript: boolean): boolean {
  if (isScript && /[A-Za-z]/.test(before)) return true
  return isSmall(before) && !isSmall(letter) && letter !== letter.toLowerCase()
}

const isSmall = (letter: string) => letter !== letter.toUpperCase()
const isLetter = (letter: string) => /^\p{L}$/u.test(letter)

function thai(): string {
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at)).join('')
  return from(0xe01, 0xe3a) + from(0xe3f, 0xe5b)
}
