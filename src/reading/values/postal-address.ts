/** The parts of a postal address, by the names of concepts. */
export interface PostalAddress {
  street?: string
  city: string
  region?: string
  postalCode?: string
}

const longest = 160
const city = String.raw`\p{Lu}[\p{L}\p{M} .'’/()-]{1,40}?`
const street = String.raw`(?=[^,]{0,60}\d)[\p{L}\d][^,|]{2,60}?`
const american = new RegExp(
  String.raw`^(?:(${street}),\s*)?(${city}),\s*([A-Z]{2})\s+(\d{5}(?:-\d{4})?)$`,
  'u',
)
const british = new RegExp(
  String.raw`^(?:(${street}),\s*)?(${city}),?\s+([A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})$`,
  'u',
)
const continental = new RegExp(
  String.raw`^(?:(${street}),?\s+)?(?:[A-Z]{1,2}[-–])?(\d{4,5}|\d{4}\s?[A-Z]{2}|\d{2}-\d{3}|\d{3}\s\d{2})\s+(${city})$`,
  'u',
)

const reversed = new RegExp(String.raw`^(${city}),?\s+\(?(\d{5})\)?$`, 'u')

/** A text that is an address and nothing else. */
export function readPostalAddress(given: string): PostalAddress | undefined {
  const text = given
    .slice(0, longest)
    .replace(/\s+/g, ' ')
    .replace(/\s+,/g, ',')
    .replace(/,?\s*(?:USA|United States|UK|United Kingdom|Deutschland|Germany|France)$/, '')
    .trim()
  const us = american.exec(text)
  if (us) return parts(us[1], us[2], us[4], us[3])
  const uk = british.exec(text)
  if (uk) return parts(uk[1], uk[2], uk[3])
  const turned = reversed.exec(text)
  if (turned) return parts(undefined, turned[1], turned[2])
  const other = continental.exec(text)
  // A number before words is an address only behind a street.
  return other?.[1] === undefined || !/\d/.test(other[1])
    ? undefined
    : parts(other[1].replace(/,$/, ''), other[3], other[2])
}

function parts(
  line: string | undefined,
  town: string | undefined,
  code: string | undefined,
  region?: string,
): PostalAddress {
  return {
    city: town?.trim() ?? '',
    ...(line === undefined ? {} : { street: line.trim() }),
    ...(code === undefined ? {} : { postalCode: code }),
    ...(region === undefined ? {} : { region }),
  }
}
