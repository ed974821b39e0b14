import { LRUCache } from 'lru-cache'
import { type WordList, wordList, words } from '../vocabulary/words.ts'

const typeByConcept = new Map(
  Object.entries({
    ...({ city: 'place', jobLocation: 'place', region: 'place', country: 'country' } as const),
    ...({ employmentType: 'work', propertyType: 'dwelling', fuel: 'fuel', fuelType: 'fuel' } as const),
    ...({ transmission: 'gearbox', gearbox: 'gearbox', color: 'colour', license: 'licence' } as const),
    ...({ version: 'version', jobTitle: 'role', company: 'organisation' } as const),
  }),
)

export type SemanticType = NonNullable<ReturnType<typeof semanticTypeOf>>

/** Types whose values are all known. Any other text is not a value. */
const closedTypes = new Set('country work fuel gearbox colour licence version'.split(' '))

export const semanticTypeOf = (concept = '') => typeByConcept.get(concept)

export const isClosed = (semanticType: SemanticType) => closedTypes.has(semanticType)

const wordsByType: Partial<Record<SemanticType, readonly [WordList, minShare: number]>> = {
  work: [wordList('workWords'), 0.6],
  dwelling: [wordList('dwellingWords'), 0.5],
  fuel: [wordList('fuelWords'), 0.6],
  gearbox: [wordList('gearboxWords'), 0.6],
  colour: [wordList('colourWords'), 0.5],
}

const licence =
  /^(?:the )?(?:MIT|ISC|Unlicense|Apache|BSD|[AL]?GPL|MPL|EPL|EUPL|CC0|CC|0BSD|Zlib|WTFPL|Artistic|Proprietary|PSF|BSL|AGPL)\b[\w .,+-]{0,30}$/i
const version =
  /^(?:v|version|ver\.?|release)?\s?\d{1,4}(?:\.\d{1,6}){1,3}(?:[-+.]?(?:alpha|beta|rc|dev|post|pre)[\w.]*)?$/i
const legalForm =
  /(?:^|\s)(?:GmbH(?: & Co\.? KG)?|AG|KG|SE|e\.\s?V\.|Ltd\.?|Limited|LLC|LLP|Inc\.?|Corp\.?|plc|PLC|S\.?A\.?(?:S|RL)?\.?|SARL|SAS|S\.?L\.?U?\.?|S\.p\.A\.|S\.?r\.?l\.?|B\.?V\.?|N\.?V\.?|AB|A\/S|ApS|AS|Oy|Oyj|Kft\.?|sp\. z o\.o\.|s\.r\.o\.|Pty Ltd|Co\.|& Co|Group|Holdings?)$/u
const role =
  /\b(?:engineer|developer|manager|director|officer|head of|lead|designer|analyst|consultant|specialist|assistant|coordinator|administrator|architect|scientist|researcher|lecturer|professor|fellow|technician|nurse|doctor|physician|surgeon|teacher|editor|accountant|partner|associate|attorney|counsel|president|chair|secretary|representative|supervisor|operator|driver|chef|cook|leiter(?:in)?|referent(?:in)?|sachbearbeiter(?:in)?|mitarbeiter(?:in)?|geschäftsführer(?:in)?|entwickler(?:in)?|ingenieur(?:in)?|berater(?:in)?|beamt(?:er|in)|standesbeamt(?:er|in)|directeur|directrice|responsable|ingénieure?|chef de|chargée? de|director[ae]?|jef[ea] de|responsabile|impiegat[oa])\b/iu

/** Returns the confidence that a short text is of a type: 1, 0.7 if only its format matches, or 0. */
export function scoreSemanticType(semanticType: SemanticType, text: string, language: string): number {
  if (text.length > 60) return 0
  return semanticType === 'place'
    ? placeScore(text, language)
    : Number(isOfType(semanticType, text, language))
}

const patterns: Partial<Record<SemanticType, RegExp>> = { licence, version, organisation: legalForm, role }

function isOfType(semanticType: SemanticType, text: string, language: string): boolean {
  if (semanticType === 'country') return getPlaceNames(language).has(text.toLowerCase())
  if (semanticType === 'role' && /[:@\d]|[.!?]$/.test(text)) return false
  const [list, minShare = 1] = wordsByType[semanticType] ?? []
  if (!list) return patterns[semanticType]?.test(text) ?? false
  const textWords = words(text)
  const listed = textWords.filter((word) => list.has(word)).length
  return listed > 0 && textWords.length <= 6 && listed >= textWords.length * minShare
}

const separators = /\s*[,;/()|·–—]\s*|\s+-\s+/
const regionCode =
  /^(?:A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY]|ON|BC|QC|AB|NSW|VIC|QLD)(?: \d{5})?$/
const cityAndRegion = /^\p{Lu}[\p{L}\p{M}.'’ -]{1,30}, \p{Lu}[\p{L}\p{M}.'’ -]{1,30}$/u
const remote = /^(?:remote|hybrid|home ?office|télétravail|remoto|anywhere|worldwide)\b/i

function placeScore(text: string, language: string): number {
  if (/\d{1,2}[:.]\d{2}|[\p{Sc}%]|[.!?]$/u.test(text)) return 0
  const parts = text.split(separators).filter(Boolean)
  const placeNames = getPlaceNames(language)
  if (parts.some((part, at) => placeNames.has(part.toLowerCase()) || (at > 0 && regionCode.test(part))))
    return 1
  if (remote.test(text)) return 0.9
  return cityAndRegion.test(text) && words(text).length <= 6 ? 0.7 : 0
}

const placeNamesByLanguage = new LRUCache<string, ReadonlySet<string>>({ max: 40 })

/** Returns the names of countries in a language and in English, and of the cities that time zones are named after. */
function getPlaceNames(language: string): ReadonlySet<string> {
  const languageCode = /^[a-z]{2,3}/i.exec(language)?.[0].toLowerCase() ?? 'en'
  const cached = placeNamesByLanguage.get(languageCode)
  if (cached) return cached
  const placeNames = new Set(
    'uk usa uae england scotland wales california texas florida bavaria bayern hamburg munich münchen köln cologne frankfurt stuttgart düsseldorf leipzig dresden lyon marseille toulouse bordeaux lille nantes barcelona valencia sevilla bilbao milan milano torino napoli firenze rotterdam utrecht eindhoven antwerp ghent geneva genève basel manchester birmingham leeds bristol liverpool glasgow edinburgh cardiff oxford cambridge san francisco boston seattle austin dallas houston philadelphia atlanta washington san diego kraków kyoto osaka mumbai bangalore delhi porto gothenburg göteborg malmö aarhus'
      .split(' ')
      .filter((word) => word.length > 2 && word !== 'san'),
  )
  for (const name of ['san francisco', 'san diego', 'uk', 'eu', 'us']) placeNames.add(name)
  const names = [languageCode, 'en'].map(
    (code) => new Intl.DisplayNames([code], { type: 'region', fallback: 'none' }),
  )
  for (const first of letters)
    for (const second of letters)
      for (const list of names) {
        const name = list.of(first + second)
        if (name !== undefined) placeNames.add(name.toLowerCase())
      }
  for (const zone of Intl.supportedValuesOf('timeZone'))
    placeNames.add((zone.split('/').at(-1) ?? '').replaceAll('_', ' ').toLowerCase())
  placeNamesByLanguage.set(languageCode, placeNames)
  return placeNames
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
