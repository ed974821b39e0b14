/** Where a page comes from, as far as it says so. */
export interface Locale {
  /** As the page states it: `de-AT`. */
  language: string
  host: string
  /** Two letters, of the address that the page states. */
  country: string | undefined
}

/** Signs that stand for one currency alone. */
const alone: Record<string, string> = {
  ...{ '€': 'EUR', euro: 'EUR', euros: 'EUR', '£': 'GBP', '₹': 'INR', '₩': 'KRW', 원: 'KRW', '₺': 'TRY' },
  ...{ tl: 'TRY', '₪': 'ILS', '฿': 'THB', '₫': 'VND', '₱': 'PHP', '₽': 'RUB', руб: 'RUB', '₴': 'UAH' },
  ...{ грн: 'UAH', 円: 'JPY', 元: 'CNY', zł: 'PLN', kč: 'CZK', ft: 'HUF', лв: 'BGN', rm: 'MYR', rp: 'IDR' },
  ...{ fr: 'CHF', sfr: 'CHF', us$: 'USD', au$: 'AUD', a$: 'AUD', ca$: 'CAD', c$: 'CAD', nz$: 'NZD' },
  ...{ hk$: 'HKD', nt$: 'TWD', s$: 'SGD', r$: 'BRL', mx$: 'MXN', lei: 'RON', dh: 'MAD' },
}

/** Signs that several countries use, by country. */
const shared: Record<string, Record<string, string>> = {
  $: {
    ...{ us: 'USD', ca: 'CAD', au: 'AUD', nz: 'NZD', sg: 'SGD', hk: 'HKD', tw: 'TWD', mx: 'MXN' },
    ...{ ar: 'ARS', cl: 'CLP', co: 'COP' },
  },
  '¥': { jp: 'JPY', cn: 'CNY' },
  kr: { se: 'SEK', no: 'NOK', dk: 'DKK', is: 'ISK' },
  rs: { in: 'INR', pk: 'PKR', lk: 'LKR', mu: 'MUR', np: 'NPR' },
}
const sharedSigns: Record<string, string> = { $: '$', '¥': '¥', '￥': '¥', kr: 'kr', ':-': 'kr', rs: 'rs' }

/** Languages that one of these countries speaks alone. */
const spokenIn: Record<string, string> = {
  ja: 'jp',
  zh: 'cn',
  sv: 'se',
  nb: 'no',
  nn: 'no',
  no: 'no',
  da: 'dk',
  is: 'is',
}

/** The ISO code of a sign beside a price; undefined where the page leaves open which of several it means. */
export function currencyOf(written: string, locale: Locale): string | undefined {
  const sign = written.trim().replace(/\.$/, '').toLowerCase()
  if (/^[a-z]{3}$/.test(sign) && sign !== 'sfr' && sign !== 'lei') return sign.toUpperCase()
  if (Object.hasOwn(alone, sign)) return alone[sign]
  const common = Object.hasOwn(sharedSigns, sign) ? sharedSigns[sign] : undefined
  if (common === undefined) return undefined
  const countries = shared[common] ?? {}
  for (const country of countriesOf(locale)) {
    if (Object.hasOwn(countries, country)) return countries[country]
  }
  return undefined
}

/** The surest first: its address, the region of its language, its host, its language alone. */
function countriesOf({ language, host, country }: Locale): string[] {
  const [spoken = '', ...rest] = language.toLowerCase().split(/[-_]/)
  const region = rest.find((part) => /^[a-z]{2}$/.test(part))
  return [country?.toLowerCase(), region, host.toLowerCase().split('.').at(-1), spokenIn[spoken]].filter(
    (found) => found !== undefined,
  )
}
