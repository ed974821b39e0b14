import {
  hasType,
  isThing,
  type Thing,
  textOf,
  thingsOf,
  valuesOf,
} from '../../reading/structured-data/thing.ts'
import { plainText } from '../../reading/values/plain-value.ts'

export interface Merchant {
  name: string
  /** As schema.org calls it: Restaurant, BarOrPub. */
  type?: string
  location?: Record<string, string>
}

const places = new Set([
  ...['restaurant', 'foodestablishment', 'cafeorcoffeeshop', 'barorpub', 'bakery', 'fastfoodrestaurant'],
  ...['icecreamshop', 'winery', 'brewery', 'distillery', 'nightclub', 'hotel'],
])

/** The restaurant that a page describes. */
export function restaurantOf(things: readonly Thing[]): Thing | undefined {
  const inner = things.flatMap((thing) => thingsOf(thing, 'mainEntity', 'about', 'provider', 'publisher'))
  return [...things, ...inner].find((thing) => hasType(thing, places))
}

export function merchantOf(restaurant: Thing | undefined, names: readonly string[]): Merchant {
  const [name = ''] = [restaurant && plainText(textOf(restaurant, 'name'), 300), ...names].filter(
    (given) => given !== undefined && given !== '',
  )
  const [type] = restaurant?.types ?? []
  const location = restaurant && locationOf(restaurant)
  return { name, ...(type !== undefined && { type }), ...(location && { location }) }
}

const parts = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry']

function locationOf(restaurant: Thing): Record<string, string> | undefined {
  const [address] = valuesOf(restaurant, 'address')
  if (address === undefined) return undefined
  if (!isThing(address)) {
    const text = plainText(String(address), 300)
    return text === undefined ? undefined : { address: text }
  }
  const known = parts.flatMap((part) => {
    const text = plainText(textOf(address, part), 300)
    return text === undefined ? [] : [[part, text]]
  })
  return known.length > 0 ? Object.fromEntries(known) : undefined
}

/** Its country as two letters, where it is stated so. */
export function countryOf({ location }: Merchant): string | undefined {
  const country = location?.addressCountry
  return country !== undefined && /^[a-z]{2}$/i.test(country) ? country : undefined
}
