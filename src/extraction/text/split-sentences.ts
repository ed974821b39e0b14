/** Words that are written with a full stop and stand before a name or a number: no sentence ends with them. */
const never = words(
  // Titles
  'mr mrs ms dr prof st sr sra srta dra mme mlle mgr sig dott rev hon gen col lt capt sgt maj cmdr adm gov sen',
  'hr fr herr dipl hrsg',
  // Between two parts of a sentence
  'vs cf viz approx ca circa bzw bspw evtl ggf inkl exkl vgl sog insb allg bes resp e.g i.e eg ie z.b d.h u.a o.ä s.o s.u',
  'np tzw tj mjr bijv bv enz t.ex dvs bl.a osv p.ex напр см стр',
  // Mountains, streets and the like
  'mt ft ave blvd rd str',
)

/** Places in a text and numbers of things: abbreviations where a number follows, else words. */
const counting = words(
  'fig figs no nos nr num vol vols ch chap sec sect art abs p pp pg eq abb tab bd kap ed ver núm tel ext s n',
)

/** Of companies and months: a sentence may end with them. */
const sometimes = words(
  'inc ltd co corp llc gmbh plc bros jr esq etc usw et al u.s u.k u.n e.u a.m p.m a.d b.c ph.d m.d b.a m.a d.c jan feb mar apr jun',
  'jul aug sep sept oct nov dec dez okt mai min max est dept univ assn',
)

/** Whether no sentence ends with this word and a full stop. */
function isAbbreviation(word: string, next: string): boolean {
  const lower = word.toLowerCase()
  return never.has(lower) || (counting.has(lower) && /^(?:\d|[IVXLC]+$)/.test(next))
}

/** Whether a full stop behind this word may belong to the word alone. */
function mayEndSentence(word: string): boolean {
  return sometimes.has(word.toLowerCase())
}

function words(...lines: string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

/** What tells that a word begins a sentence: the small words of its language. */
export interface SentenceLanguage {
  code: string | undefined
  stopWords: ReadonlySet<string>
}

/** Signs that end a sentence where a space follows, with references behind them, and those of scripts that need none. */
const ends =
  /[.!?…]+[)\]"'”’»›]*(?:\[(?:\d{1,3}|\p{Ll})\])*(?=\s)|[。！？｡]+[」』）”’】》]*|[।॥؟۔።။។៕]+["'”’»]*|\n/gu
/** French puts a space before the quote that closes. */
const frenchQuote = /^\s»/
/** Longer ones are cut: nobody quotes half a page. */
export const longestSentence = 1000
/** Languages that write a full stop behind an ordinal number. */
const ordinals = new Set(['de', 'da', 'no', 'fi', 'hu', 'cs', 'sk', 'sl', 'sr', 'hr', 'et', 'tr', 'lt'])

/** The sentences of a text in order, as they stand there, without white space around them. */
export function splitSentences(text: string, language: SentenceLanguage): string[] {
  const sentences: string[] = []
  let start = 0
  for (const { 0: sign, index } of text.matchAll(ends)) {
    const end = endBehind(text, index + sign.length, language)
    if (sign !== '\n' && !isEnd(text, { start, index, sign }, language)) continue
    add(sentences, text.slice(start, end))
    start = end
  }
  add(sentences, text.slice(start))
  return sentences
}

function endBehind(text: string, end: number, { code }: SentenceLanguage): number {
  return code === 'fr' && frenchQuote.test(text.slice(end, end + 2)) ? end + 2 : end
}

interface Candidate {
  /** Where the sentence began. */
  start: number
  /** Where its sign stands. */
  index: number
  sign: string
}

const opening = /^[\s("'“„‘«‹[¿¡–—-]*/
/** Characters that are looked at on either side: no word that decides is longer. */
const around = 40

function isEnd(text: string, { start, index, sign }: Candidate, language: SentenceLanguage): boolean {
  // Scripts that have signs of their own use them for nothing else.
  if (!/^[.!?…]/.test(sign)) return true
  const rest = text.slice(index + sign.length, index + sign.length + around).replace(opening, '')
  const [next = ''] = /^[\p{L}\p{M}\p{N}]+/u.exec(rest) ?? []
  if (/^\p{Ll}/u.test(next)) return false
  if (!/^\.[^.]*$/.test(sign)) return true
  // A quote or a bracket closes behind a sentence.
  if (sign.length > 1) return true
  const before = text.slice(Math.max(start, index - around), index)
  const [word = ''] = /[^\s("'“„‘«[/-]*$/u.exec(before) ?? []
  // A number or a letter at the beginning counts something.
  if (index - start <= 3 && /^\s*[\p{L}\p{N}]{1,3}$/u.test(text.slice(start, index))) return false
  const startsSentence = /^\p{Lu}/u.test(next) && language.stopWords.has(next.toLowerCase())
  if (/^\d{1,2}$/.test(word) && ordinals.has(language.code ?? '')) return startsSentence
  if (isAbbreviation(word, next)) return false
  return isInitial(word) || mayEndSentence(word) ? startsSentence : true
}

/** One letter, or letters with full stops between them: `J.`, `U.S.`, `z. B.` */
const isInitial = (word: string) => /^(?:\p{L}\.)*\p{L}$/u.test(word)

function add(sentences: string[], part: string): void {
  const sentence = part.trim()
  if (sentence === '') return
  if (sentence.length <= longestSentence) sentences.push(sentence)
  else sentences.push(...pieces(sentence, longestSentence))
}

/** Cuts a long sentence behind a mark between clauses where there is one, else between words. */
export function pieces(sentence: string, longest: number): string[] {
  const found: string[] = []
  for (let start = 0; start < sentence.length; ) {
    const rest = sentence.slice(start, start + longest)
    const isLast = start + longest >= sentence.length
    const end = isLast ? rest.length : cutAt(rest)
    const piece = rest.slice(0, end).trim()
    if (piece !== '') found.push(piece)
    start += end
  }
  return found
}

function cutAt(text: string): number {
  const clause = Math.max(...['; ', ': ', ', ', '；', '，', '、'].map((mark) => text.lastIndexOf(mark)))
  if (clause > text.length / 2) return clause + 1
  const space = text.lastIndexOf(' ')
  if (space > 0) return space
  // Never between the halves of one character.
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length
}
