type Span = readonly [from: number, to: number]

/** An East Asian encoding: which bytes form a character, and where the common characters are. */
interface PairEncoding {
  name: string
  lead: Span[]
  trail: Span[]
  /** Bytes above ASCII that are letters by themselves. */
  single?: Span
  /** First bytes, and the second ones, of what is common in any text of the language. */
  common: { lead: Span; trail: Span }[]
  /** Characters that every text of the language contains; the encoding is not considered without them. */
  needs?: Span
}

/** The more particular first: each of the later ones would also read the text of an earlier one. */
const encodings: PairEncoding[] = [
  {
    name: 'euc-kr',
    lead: [[0x81, 0xfd]],
    trail: [
      [0x41, 0x5a],
      [0x61, 0x7a],
      [0x81, 0xfe],
    ],
    common: [{ lead: [0xb0, 0xc8], trail: [0xa1, 0xfe] }],
  },
  {
    name: 'shift_jis',
    lead: [
      [0x81, 0x9f],
      [0xe0, 0xfc],
    ],
    trail: [
      [0x40, 0x7e],
      [0x80, 0xfc],
    ],
    single: [0xa1, 0xdf],
    common: [
      { lead: [0x81, 0x83], trail: [0x40, 0xfc] },
      { lead: [0x88, 0x98], trail: [0x40, 0xfc] },
    ],
  },
  {
    name: 'euc-jp',
    lead: [
      [0x8e, 0x8f],
      [0xa1, 0xfe],
    ],
    trail: [[0xa1, 0xfe]],
    common: [
      { lead: [0xa4, 0xa5], trail: [0xa1, 0xfe] },
      { lead: [0xb0, 0xcf], trail: [0xa1, 0xfe] },
    ],
    needs: [0xa4, 0xa5],
  },
  {
    name: 'big5',
    lead: [[0xa1, 0xf9]],
    trail: [
      [0x40, 0x7e],
      [0xa1, 0xfe],
    ],
    common: [
      { lead: [0xa4, 0xc6], trail: [0x40, 0x7e] },
      { lead: [0xa4, 0xc6], trail: [0xa1, 0xfe] },
    ],
  },
  {
    name: 'gb18030',
    lead: [[0x81, 0xfe]],
    trail: [
      [0x30, 0x39],
      [0x40, 0x7e],
      [0x80, 0xfe],
    ],
    common: [{ lead: [0xb0, 0xd7], trail: [0xa1, 0xfe] }],
  },
]

/** Letters outside the common ones are names and rare words. */
const leastCommon = 0.7
/** Files may contain pasted fragments; a text in another encoding has many more of these. */
const mostWrong = 0.01

/** The double-byte encoding in which most characters are common ones; undefined if there is none. */
export function byPairs(sample: Buffer): string | undefined {
  let best: { name: string; share: number } | undefined
  for (const encoding of encodings) {
    const share = commonShare(sample, encoding)
    // Later ones must be clearly better, because they can also decode text of the earlier ones.
    if (share >= leastCommon && share > (best?.share ?? 0) + 0.02) best = { name: encoding.name, share }
  }
  return best?.name
}

/** The share of common characters; zero if the bytes are not valid in this encoding. */
function commonShare(sample: Buffer, encoding: PairEncoding): number {
  const seen = { common: 0, rare: 0, single: 0, marks: 0, needed: 0, wrong: 0 }
  for (let at = 0; at < sample.length; at += 1) {
    const lead = sample[at] ?? 0
    if (lead < 0x80) continue
    if (encoding.single && isIn(lead, encoding.single)) {
      seen.single += 1
      continue
    }
    const trail = sample[at + 1] ?? 0
    if (
      !encoding.lead.some((span) => isIn(lead, span)) ||
      !encoding.trail.some((span) => isIn(trail, span))
    ) {
      seen.wrong += 1
      continue
    }
    at += 1
    if (encoding.needs && isIn(lead, encoding.needs)) seen.needed += 1
    if (encoding.common.some((place) => isIn(lead, place.lead) && isIn(trail, place.trail))) seen.common += 1
    // Full stops, brackets and wide digits: every one of these encodings has them in its first rows.
    else if (lead >= 0xa1 && lead <= 0xa3) seen.marks += 1
    else seen.rare += 1
  }
  const letters = seen.common + seen.rare + seen.single / 2
  if (letters === 0 || seen.wrong > (letters + seen.marks) * mostWrong) return 0
  if (encoding.needs && seen.needed < letters * 0.05) return 0
  return seen.common / letters
}

const isIn = (byte: number, [from, to]: Span) => byte >= from && byte <= to
