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
export function isAbbreviation(word: string, next: string): boolean {
  const lower = word.toLowerCase()
  return never.has(lower) || (counting.has(lower) && /^(?:\d|[IVXLC]+$)/.test(next))
}

/** Whether a full stop behind this word may belong to the word alone. */
export function mayEndSentence(word: string): boolean {
  return sometimes.has(word.toLowerCase())
}

function words(...lines: string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
