/** Those that it translates. It knows languages and countries by their English names without spaces. */
const languages = new Set(
  (
    'af sq ar hy az bn bs bg ca zh hr cs da nl en et fi fr gl ka de el gu he hi hu is id it ja kn kk ko lv lt mk ms ml ' +
    'mr mn ne no fa pl pt pa ro ru sr sk sl so es sw sv ta te th bo tr uk ur vi'
  ).split(' '),
)

/** Two letters are FIPS codes there, which name other countries than those of ISO, so names are used. */
const otherNames: Record<string, string> = {
  CZ: 'czechrepublic',
  HK: 'hongkong',
  MK: 'macedonia',
  MM: 'burma',
  TR: 'turkey',
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

export function gdeltLanguage(language: string | undefined): string | undefined {
  if (language === undefined || !languages.has(language)) return undefined
  return languageNames.of(language)?.toLowerCase()
}

/** Undefined for names that may be written in another way there. */
export function gdeltCountry(country: string | undefined): string | undefined {
  if (country === undefined || !/^[A-Z]{2}$/.test(country)) return undefined
  const name = otherNames[country] ?? countryNames.of(country)?.replaceAll(' ', '').toLowerCase() ?? ''
  return /^[a-z]+$/.test(name) ? name : undefined
}
