import { LRUCache } from 'lru-cache'
import { type WordList, wordList, words } from '../vocabulary/words.ts'

/** What a text may be by itself, where nothing names it. */
export type Sort =
  | 'place'
  | 'country'
  | 'work'
  | 'dwelling'
  | 'fuel'
  | 'gearbox'
  | 'colour'
  | 'licence'
  | 'version'
  | 'role'
  | 'organisation'

const sortOfConcept: Readonly<Record<string, Sort>> = {
  ...{ city: 'place', jobLocation: 'place', region: 'place', country: 'country' },
  ...{ employmentType: 'work', propertyType: 'dwelling', fuel: 'fuel', fuelType: 'fuel' },
  ...{ transmission: 'gearbox', gearbox: 'gearbox', color: 'colour', license: 'licence', version: 'version' },
  ...{ jobTitle: 'role', company: 'organisation' },
}

/** Sorts whose texts are all known: what is none of them is no value. */
const closed: ReadonlySet<Sort> = new Set([
  ...(['country', 'work', 'fuel', 'gearbox', 'colour', 'licence', 'version'] as const),
])

export const semanticTypeOf = (concept: string | undefined): Sort | undefined =>
  concept === undefined ? undefined : sortOfConcept[concept]

export const isClosed = (sort: Sort | undefined) => sort !== undefined && closed.has(sort)

/** Words, each list of several languages, as `words` writes them. */
const wordsOfSort: Partial<Record<Sort, WordList>> = {
  work: wordList('workWords'),
  dwelling: wordList('dwellingWords'),
  fuel: wordList('fuelWords'),
  gearbox: wordList('gearboxWords'),
  colour: wordList('colourWords'),
}

const licence =
  /^(?:the )?(?:MIT|ISC|Unlicense|Apache|BSD|[AL]?GPL|MPL|EPL|EUPL|CC0|CC|0BSD|Zlib|WTFPL|Artistic|Proprietary|PSF|BSL|AGPL)\b[\w .,+-]{0,30}$/i
const version =
  /^(?:v|version|ver\.?|release)?\s?\d{1,4}(?:\.\d{1,6}){1,3}(?:[-+.]?(?:alpha|beta|rc|dev|post|pre)[\w.]*)?$/i
const legalForm =
  /(?:^|\s)(?:GmbH(?: & Co\.? KG)?|AG|KG|SE|e\.\s?V\.|Ltd\.?|Limited|LLC|LLP|Inc\.?|Corp\.?|plc|PLC|S\.?A\.?(?:S|RL)?\.?|SARL|SAS|S\.?L\.?U?\.?|S\.p\.A\.|S\.?r\.?l\.?|B\.?V\.?|N\.?V\.?|AB|A\/S|ApS|AS|Oy|Oyj|Kft\.?|sp\. z o\.o\.|s\.r\.o\.|Pty Ltd|Co\.|& Co|Group|Holdings?)$/u
const role =
  /\b(?:engineer|developer|manager|director|officer|head of|lead|designer|analyst|consultant|specialist|assistant|coordinator|administrator|architect|scientist|researcher|lecturer|professor|fellow|technician|nurse|doctor|physician|surgeon|teacher|editor|accountant|partner|associate|attorney|counsel|president|chair|secretary|representative|supervisor|operator|driver|chef|cook|leiter(?:in)?|referent(?:in)?|sachbearbeiter(?:in)?|mitarbeiter(?:in)?|geschäftsführer(?:in)?|entwickler(?:in)?|ingenieur(?:in)?|berater(?:in)?|beamt(?:er|in)|standesbeamt(?:er|in)|directeur|directrice|responsable|ingénieure?|chef de|chargée? de|director[ae]?|jef[ea] de|responsabile|impiegat[oa])\b/iu

/** How surely a short text is of a sort: 1, 0.7 where it only looks so, or 0. */
export function isOfType(sort: Sort, text: string, language: string): number {
  if (text.length > 60) return 0
  switch (sort) {
    case 'place':
      return placeScore(text, language)
    case 'country':
      return places(language).has(text.toLowerCase()) ? 1 : 0
    case 'licence':
      return licence.test(text) ? 1 : 0
    case 'version':
      return version.test(text) ? 1 : 0
    case 'organisation':
      return legalForm.test(text) ? 1 : 0
    case 'role':
      return role.test(text) && !/[:@\d]|[.!?]$/.test(text) ? 1 : 0
    default:
      return isMadeOf(wordsOfSort[sort], text, sort === 'dwelling' || sort === 'colour' ? 0.5 : 0.6) ? 1 : 0
  }
}

/** Whether at least this share of the words of a text is in a list. */
function isMadeOf(list: WordList | undefined, text: string, least: number): boolean {
  const said = words(text)
  if (!list || said.length === 0 || said.length > 6) return false
  return said.filter((word) => list.has(word)).length >= said.length * least
}

const parted = /\s*[,;/()|·–—]\s*|\s+-\s+/
const state =
  /^(?:A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY]|ON|BC|QC|AB|NSW|VIC|QLD)(?: \d{5})?$/
const cityAndMore = /^\p{Lu}[\p{L}\p{M}.'’ -]{1,30}, \p{Lu}[\p{L}\p{M}.'’ -]{1,30}$/u
const remote = /^(?:remote|hybrid|home ?office|télétravail|remoto|anywhere|worldwide)\b/i

function placeScore(text: string, language: string): number {
  if (/\d{1,2}[:.]\d{2}|[\p{Sc}%]|[.!?]$/u.test(text)) return 0
  const parts = text.split(parted).filter(Boolean)
  const known = places(language)
  if (parts.some((part, at) => known.has(part.toLowerCase()) || (at > 0 && state.test(part)))) return 1
  if (remote.test(text)) return 0.9
  return cityAndMore.test(text) && words(text).length <= 6 ? 0.7 : 0
}

const placesOf = new LRUCache<string, ReadonlySet<string>>({ max: 40 })

/** Names of countries in a language and in English, and of the cities that time zones are called after. */
function places(language: string): ReadonlySet<string> {
  const own = /^[a-z]{2,3}/i.exec(language)?.[0].toLowerCase() ?? 'en'
  const known = placesOf.get(own)
  if (known) return known
  const found = new Set(
    'uk usa uae england scotland wales california texas florida bavaria bayern hamburg munich münchen köln cologne frankfurt stuttgart düsseldorf leipzig dresden lyon marseille toulouse bordeaux lille nantes barcelona valencia sevilla bilbao milan milano torino napoli firenze rotterdam utrecht eindhoven antwerp ghent geneva genève basel manchester birmingham leeds bristol liverpool glasgow edinburgh cardiff oxford cambridge san francisco boston seattle austin dallas houston philadelphia atlanta washington san diego kraków kyoto osaka mumbai bangalore delhi porto gothenburg göteborg malmö aarhus'
      .split(' ')
      .filter((word) => word.length > 2 && word !== 'san'),
  )
  for (const name of ['san francisco', 'san diego', 'uk', 'eu', 'us']) found.add(name)
  const names = [own, 'en'].map((code) => new Intl.DisplayNames([code], { type: 'region', fallback: 'none' }))
  for (const first of letters)
    for (const second of letters)
      for (const list of names) {
        const name = list.of(first + second)
        if (name !== undefined) found.add(name.toLowerCase())
      }
  for (const zone of Intl.supportedValuesOf('timeZone'))
    found.add((zone.split('/').at(-1) ?? '').replaceAll('_', ' ').toLowerCase())
  placesOf.set(own, found)
  return found
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
