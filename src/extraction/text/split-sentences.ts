/** Abbreviations that never end a sentence, because a name, a number or another word follows. */
const neverFinal = toWordSet(
  // Titles
  'mr mrs ms dr prof st sr sra srta dra mme mlle mgr sig dott rev hon gen col lt capt sgt maj cmdr adm gov sen',
  'hr fr herr dipl hrsg',
  // Between two parts of a sentence
  'vs cf viz approx ca circa bzw bspw evtl ggf inkl exkl vgl sog insb allg bes resp e.g i.e eg ie z.b d.h u.a o.ä s.o s.u',
  'np tzw tj mjr bijv bv enz t.ex dvs bl.a osv p.ex напр см стр',
  // Mountains, streets and similar names
  'mt ft ave blvd rd str',
)

/** Words that are abbreviations only before a number, such as "fig" and "no". */
const beforeNumbers = toWordSet(
  'fig figs no nos nr num vol vols ch chap sec sect art abs p pp pg eq abb tab bd kap ed ver núm tel ext s n',
)

/** Abbreviations that may end a sentence, such as those of companies and months. */
const sometimesFinal = toWordSet(
  'inc ltd co corp llc gmbh plc bros jr esq etc usw et al u.s u.k u.n e.u a.m p.m a.d b.c ph.d m.d b.a m.a d.c jan feb mar apr jun',
  'jul aug sep sept oct nov dec dez okt mai min max est dept univ assn',
)

function toWordSet(...lines: string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

/** The stop words indicate that a word begins a sentence. */
export interface SentenceLanguage {
  code: string | undefined
  stopWords: ReadonlySet<string>
}

/** Punctuation before a space, with references such as [1], or of a script without spaces. */
const sentenceEnds =
  /[.!?…]+[)\]"'”’»›]*(?:\[(?:\d{1,3}|\p{Ll})\])*(?=\s)|[。！？｡]+[」』）”’】》]*|[।॥؟۔።။។៕]+["'”’»]*|\n/gu
/** Closing quote in French, which follows a space. */
const frenchQuote = /^\s»/
/** Longer sentences are cut, so that quotes are short. */
export const maxSentenceLength = 1000
/** Languages that write a full stop after an ordinal number. */
const ordinals = new Set(['de', 'da', 'no', 'fi', 'hu', 'cs', 'sk', 'sl', 'sr', 'hr', 'et', 'tr', 'lt'])

export function splitSentences(text: string, language: SentenceLanguage): string[] {
  const sentences: string[] = []
  let start = 0
  for (const { 0: punctuation, index } of text.matchAll(sentenceEnds)) {
    const after = index + punctuation.length
    const hasQuote = language.code === 'fr' && frenchQuote.test(text.slice(after, after + 2))
    const end = hasQuote ? after + 2 : after
    if (punctuation !== '\n' && !isEnd(text, { start, index, punctuation }, language)) continue
    addSentence(sentences, text.slice(start, end))
    start = end
  }
  addSentence(sentences, text.slice(start))
  return sentences
}

const opening = /^[\s("'“„‘«‹[¿¡–—-]*/
const contextLength = 40

function isEnd(
  text: string,
  { start, index, punctuation }: { start: number; index: number; punctuation: string },
  language: SentenceLanguage,
): boolean {
  // Sentence punctuation of other scripts has no other use.
  if (!/^[.!?…]/.test(punctuation)) return true
  const end = index + punctuation.length
  const rest = text.slice(end, end + contextLength).replace(opening, '')
  const [next = ''] = /^[\p{L}\p{M}\p{N}]+/u.exec(rest) ?? []
  if (/^\p{Ll}/u.test(next)) return false
  if (!/^\.[^.]*$/.test(punctuation)) return true
  // A full stop before a closing quote or bracket ends a sentence.
  if (punctuation.length > 1) return true
  const before = text.slice(Math.max(start, index - contextLength), index)
  const [word = ''] = /[^\s("'“„‘«[/-]*$/u.exec(before) ?? []
  // A short text at the start, such as "1." or "a.", is an item number.
  if (index - start <= 3 && /^\s*[\p{L}\p{N}]{1,3}$/u.test(text.slice(start, index))) return false
  const startsSentence = /^\p{Lu}/u.test(next) && language.stopWords.has(next.toLowerCase())
  if (/^\d{1,2}$/.test(word) && ordinals.has(language.code ?? '')) return startsSentence
  const lower = word.toLowerCase()
  if (neverFinal.has(lower) || (beforeNumbers.has(lower) && /^(?:\d|[IVXLC]+$)/.test(next))) return false
  return isInitial(word) || sometimesFinal.has(lower) ? startsSentence : true
}

/** True for a single letter, or letters with full stops between them: `J.`, `U.S.`, `z. B.` */
const isInitial = (word: string) => /^(?:\p{L}\.)*\p{L}$/u.test(word)

function addSentence(sentences: string[], part: string): void {
  const sentence = part.trim()
  if (sentence !== '') sentences.push(...cutSentence(sentence, maxSentenceLength))
}

/** Cuts after clause punctuation if possible, else between words. */
export function cutSentence(sentence: string, maxLength: number): string[] {
  const result: string[] = []
  for (let start = 0; start < sentence.length; ) {
    const rest = sentence.slice(start, start + maxLength)
    const isLast = start + maxLength >= sentence.length
    const end = isLast ? rest.length : findCut(rest)
    const piece = rest.slice(0, end).trim()
    if (piece !== '') result.push(piece)
    start += end
  }
  return result
}

function findCut(text: string): number {
  const delimiters = ['; ', ': ', ', ', '；', '，', '、']
  const clause = Math.max(...delimiters.map((delimiter) => text.lastIndexOf(delimiter)))
  if (clause > text.length / 2) return clause + 1
  const space = text.lastIndexOf(' ')
  if (space > 0) return space
  // Never cut between the halves of a surrogate pair.
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length
}
