/** The regions of DuckDuckGo: a country, and the languages that it has there. The first is the usual one. */
const regions = new Map(
  (
    'AR:es AU:en AT:de BE:fr,nl BR:pt BG:bg CA:en,fr CL:es CN:zh CO:es HR:hr CZ:cs DK:da EE:et FI:fi FR:fr DE:de GR:el ' +
    'HU:hu IS:is IN:en ID:en IE:en IL:en IT:it LV:lv LT:lt MY:en MX:es NL:nl NZ:en NO:no PK:en PE:es PH:en PL:pl PT:pt ' +
    'RO:ro RU:ru SG:en SK:sk ZA:en ES:es,ca SE:sv CH:de,fr TH:en TR:tr US:en,es UA:uk VN:en'
  )
    .split(' ')
    .map((entry): [string, string[]] => [entry.slice(0, 2), entry.slice(3).split(',')]),
)

/** Regions that are not named by the codes of a country and a language. */
const otherNames: Record<string, string> = {
  GB: 'uk-en',
  HK: 'hk-tzh',
  JP: 'jp-jp',
  KR: 'kr-kr',
  SA: 'xa-ar',
  SI: 'sl-sl',
  TW: 'tw-tzh',
}

/** Undefined for a country that has no region. Without a country it is the one where most speak the language. */
export function regionOf(country: string | undefined, language: string | undefined): string | undefined {
  const place = country ?? mostSpokenIn(language)
  if (place === undefined) return undefined
  const [usual, ...others] = regions.get(place) ?? []
  if (usual === undefined) return otherNames[place]
  return `${place.toLowerCase()}-${others.find((other) => other === language) ?? usual}`
}

function mostSpokenIn(language: string | undefined): string | undefined {
  if (language === undefined || !/^[a-z]{2,3}$/.test(language)) return undefined
  const place = new Intl.Locale(language).maximize().region
  // Not where it is another language that the region would ask for.
  const has = place !== undefined && (place in otherNames || regions.get(place)?.includes(language))
  return has ? place : undefined
}
