const months =
  'Jan(?:uary|uar)?|Feb(?:ruary|ruar)?|Mar(?:ch)?|März|Apr(?:il)?|May|Mai|June?|Juni|July?|Juli|Aug(?:ust)?|Sep(?:t(?:ember)?)?|O[ck]t(?:ober)?|Nov(?:ember)?|De[cz](?:ember)?|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|novembre|dicembre'
const year = '(?:1\\d{3}|20\\d{2})'
const day = '\\d{1,2}(?:st|nd|rd|th|er|\\.)?'
const number = '\\d{1,3}(?:[.,\\u202f\\u00a0 ]\\d{3})+(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)?'
const scale =
  '(?: (?:thousand|million|billion|trillion|Millionen?|Milliarden?|millions?|milliards?|millones|milioni))?'
const spelledNumbers =
  'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozens|hundreds|thousands'

const dates = [
  `(?:${day} )?(?:of )?(?:de )?(?:${months})\\.?(?: ${day}(?!\\d))?,?(?: de)? ${year}`,
  `${day} (?:de )?(?:${months})\\b(?!,? ${year})`,
  `(?:${months}) ${day}(?!\\d)(?!,? ${year})`,
  `${year}-\\d{2}-\\d{2}`,
  '\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}',
  '\\d{4}年(?:\\d{1,2}月(?:\\d{1,2}日)?)?',
  `(?<![\\d.,$€£])${year}(?![\\d%]|[.,]\\d|-\\d{2}-)`,
]

/** Questions with an answer of a recognisable format, and the pattern of the answer. */
const answerKinds: Record<'asks' | 'span', RegExp>[] = [
  {
    asks: /\b(?:what|which|in what) year\b|\bwelche[ms]? Jahr\b|\bquelle année\b|\bqué año\b|何年/iu,
    span: new RegExp(`(?<![\\d.,$€£])${year}(?![\\d%]|[.,]\\d)`, 'gu'),
  },
  {
    asks: /^(?:since |until |by )?when\b|\b(?:what|which) date\b|^(?:seit |bis |ab )?wann\b|^quand\b|^(?:desde )?cuándo\b|^¿cuándo|^quando\b|^wanneer\b|いつ/iu,
    span: new RegExp(dates.join('|'), 'giu'),
  },
  {
    asks: /\bwhat (?:percentage|percent|per cent|share)\b|\bwie viel Prozent\b|\bquel pourcentage\b|\bqué porcentaje\b/iu,
    span: /\d+(?:[.,]\d+)?\s?(?:%|percent|per cent|Prozent|pour cent|por ciento)/giu,
  },
  {
    asks: /\bhow much (?:is|does|do|did|was|are|were)\b.*|\b(?:price|cost)s?\b|\bwas kostet\b|\bPreis\b|\bcombien coûte\b|\bcuánto cuesta\b|いくら/iu,
    span: new RegExp(
      `[$€£¥] ?(?:${number})${scale}|(?:${number})${scale} ?(?:€|£|円|USD|EUR|GBP|CHF|dollars|euros?|pounds)`,
      'giu',
    ),
  },
  { asks: /\be-?mail\b/iu, span: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/gu },
  {
    asks: /\b(?:tele)?phone number\b|\bTelefon(?:nummer)?\b|\bnuméro de téléphone\b|\bteléfono\b/iu,
    span: /(?:\+|\b0|\()\d[\d ()/.-]{6,20}\d/gu,
  },
  {
    asks: /\bhow many\b|\bwie ?viele\b|\bcombien de\b|\bcuánt[oa]s\b|\bquant[ei]\b|\bhoeveel\b/iu,
    span: new RegExp(`(?<![\\d.,$€£-])(?:${number})${scale}(?![\\d%])|\\b(?:${spelledNumbers})\\b`, 'giu'),
  },
]

const yearPattern = new RegExp(`^${year}$`)

/** Returns undefined unless the sentence has exactly one such value that the question does not contain itself. */
export function answerSpan(question: string, sentence: string): string | undefined {
  const trimmedQuestion = question.trim()
  const kind = answerKinds.find(({ asks }) => asks.test(trimmedQuestion))
  if (!kind) return undefined
  // The last kind asks for a count, which is not a year.
  const isCount = kind === answerKinds.at(-1)
  const matches = [...sentence.matchAll(kind.span)].map(([span]) => span.trim().replace(/[,.]$/, ''))
  const spans = matches.filter(
    (span) => !trimmedQuestion.includes(span) && !(isCount && yearPattern.test(span)),
  )
  const [first, ...others] = new Set(spans)
  return others.length === 0 ? first : undefined
}
