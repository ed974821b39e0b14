import type { BrowserContextOptions } from 'playwright-core'
import { fitPicture } from './fit-picture.ts'

export interface Emulation {
  isMobile: boolean
  country: string | undefined
  languages: string[]
  viewport: { width: number; height: number } | undefined
  acceptsInvalidCertificates: boolean
}

/** In the order of preference: those that were asked for, or those of the country. */
export function languagesOf(wish: Pick<Emulation, 'country' | 'languages'>): string[] {
  return wish.languages.length > 0 ? wish.languages : (placeOf(wish)?.languages ?? ['en-US'])
}

function placeOf({ country }: Pick<Emulation, 'country'>) {
  return countries[country?.toUpperCase() ?? 'US']
}

/** Device, language and time zone of a context; who it says it is, is given to each of its tabs. */
export function emulate(wish: Emulation): BrowserContextOptions {
  const place = placeOf(wish)
  const device = wish.isMobile ? mobile : desktop
  return {
    ...device,
    ...(wish.viewport ? { viewport: fitPicture(wish.viewport, device.deviceScaleFactor ?? 1).size } : {}),
    locale: languagesOf(wish)[0] ?? 'en-US',
    ...(place ? { timezoneId: place.timeZone } : {}),
    ignoreHTTPSErrors: wish.acceptsInvalidCertificates,
    // A worker could answer requests that no handler of ours ever sees.
    serviceWorkers: 'block',
    acceptDownloads: false,
    bypassCSP: true,
  }
}

const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }

const mobile: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
}

/** Main language and time zone of countries that are asked for often; others get their language only if it is given. */
const countries: Record<string, { languages: string[]; timeZone: string }> = {
  US: { languages: ['en-US', 'en'], timeZone: 'America/New_York' },
  CA: { languages: ['en-CA', 'en', 'fr-CA'], timeZone: 'America/Toronto' },
  MX: { languages: ['es-MX', 'es'], timeZone: 'America/Mexico_City' },
  BR: { languages: ['pt-BR', 'pt'], timeZone: 'America/Sao_Paulo' },
  AR: { languages: ['es-AR', 'es'], timeZone: 'America/Argentina/Buenos_Aires' },
  GB: { languages: ['en-GB', 'en'], timeZone: 'Europe/London' },
  IE: { languages: ['en-IE', 'en'], timeZone: 'Europe/Dublin' },
  DE: { languages: ['de-DE', 'de'], timeZone: 'Europe/Berlin' },
  AT: { languages: ['de-AT', 'de'], timeZone: 'Europe/Vienna' },
  CH: { languages: ['de-CH', 'de', 'fr-CH', 'it-CH'], timeZone: 'Europe/Zurich' },
  FR: { languages: ['fr-FR', 'fr'], timeZone: 'Europe/Paris' },
  BE: { languages: ['nl-BE', 'fr-BE'], timeZone: 'Europe/Brussels' },
  NL: { languages: ['nl-NL', 'nl'], timeZone: 'Europe/Amsterdam' },
  ES: { languages: ['es-ES', 'es'], timeZone: 'Europe/Madrid' },
  PT: { languages: ['pt-PT', 'pt'], timeZone: 'Europe/Lisbon' },
  IT: { languages: ['it-IT', 'it'], timeZone: 'Europe/Rome' },
  PL: { languages: ['pl-PL', 'pl'], timeZone: 'Europe/Warsaw' },
  CZ: { languages: ['cs-CZ', 'cs'], timeZone: 'Europe/Prague' },
  SE: { languages: ['sv-SE', 'sv'], timeZone: 'Europe/Stockholm' },
  NO: { languages: ['nb-NO', 'no'], timeZone: 'Europe/Oslo' },
  DK: { languages: ['da-DK', 'da'], timeZone: 'Europe/Copenhagen' },
  FI: { languages: ['fi-FI', 'fi'], timeZone: 'Europe/Helsinki' },
  UA: { languages: ['uk-UA', 'uk'], timeZone: 'Europe/Kyiv' },
  RU: { languages: ['ru-RU', 'ru'], timeZone: 'Europe/Moscow' },
  TR: { languages: ['tr-TR', 'tr'], timeZone: 'Europe/Istanbul' },
  GR: { languages: ['el-GR', 'el'], timeZone: 'Europe/Athens' },
  IL: { languages: ['he-IL', 'he'], timeZone: 'Asia/Jerusalem' },
  AE: { languages: ['ar-AE', 'ar', 'en'], timeZone: 'Asia/Dubai' },
  SA: { languages: ['ar-SA', 'ar'], timeZone: 'Asia/Riyadh' },
  EG: { languages: ['ar-EG', 'ar'], timeZone: 'Africa/Cairo' },
  ZA: { languages: ['en-ZA', 'en'], timeZone: 'Africa/Johannesburg' },
  NG: { languages: ['en-NG', 'en'], timeZone: 'Africa/Lagos' },
  IN: { languages: ['en-IN', 'hi-IN'], timeZone: 'Asia/Kolkata' },
  CN: { languages: ['zh-CN', 'zh'], timeZone: 'Asia/Shanghai' },
  HK: { languages: ['zh-HK', 'zh', 'en'], timeZone: 'Asia/Hong_Kong' },
  TW: { languages: ['zh-TW', 'zh'], timeZone: 'Asia/Taipei' },
  JP: { languages: ['ja-JP', 'ja'], timeZone: 'Asia/Tokyo' },
  KR: { languages: ['ko-KR', 'ko'], timeZone: 'Asia/Seoul' },
  SG: { languages: ['en-SG', 'en', 'zh-SG'], timeZone: 'Asia/Singapore' },
  ID: { languages: ['id-ID', 'id'], timeZone: 'Asia/Jakarta' },
  TH: { languages: ['th-TH', 'th'], timeZone: 'Asia/Bangkok' },
  VN: { languages: ['vi-VN', 'vi'], timeZone: 'Asia/Ho_Chi_Minh' },
  PH: { languages: ['en-PH', 'fil-PH'], timeZone: 'Asia/Manila' },
  AU: { languages: ['en-AU', 'en'], timeZone: 'Australia/Sydney' },
  NZ: { languages: ['en-NZ', 'en'], timeZone: 'Pacific/Auckland' },
}
