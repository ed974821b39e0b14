import type { BrowserContextOptions, Page } from 'playwright-core'
import { jsonFile } from '../platform/json/json.ts'
import { browserIdentity } from './identity.ts'
import { clipScreenshot } from './take-screenshot.ts'

export interface Emulation {
  isMobile: boolean
  country: string | undefined
  languages: string[]
  viewport: { width: number; height: number } | undefined
  acceptsInvalidCertificates: boolean
}

/** Workers start with the one language that the driver sets, and must not report fewer than their page. */
export function languagesOf(emulation: Pick<Emulation, 'country' | 'languages'>): string[] {
  if (emulation.languages.length > 0) return emulation.languages
  return [getCountryDefaults(emulation)?.language ?? 'en-US']
}

const getCountryDefaults = ({ country }: Pick<Emulation, 'country'>) =>
  countries()[country?.toUpperCase() ?? 'US']

export function emulate(emulation: Emulation): BrowserContextOptions {
  const countryDefaults = getCountryDefaults(emulation)
  const device = emulation.isMobile ? mobile : desktop
  return {
    ...device,
    ...(emulation.viewport && {
      viewport: clipScreenshot(emulation.viewport, device.deviceScaleFactor ?? 1).size,
    }),
    locale: languagesOf(emulation)[0] ?? 'en-US',
    ...(countryDefaults && { timezoneId: countryDefaults.timeZone }),
    ignoreHTTPSErrors: emulation.acceptsInvalidCertificates,
    // Responses of a service worker bypass the request handlers of the service.
    serviceWorkers: 'block',
    acceptDownloads: false,
    bypassCSP: true,
  }
}

export async function emulateOpenPage(page: Page, emulation: Omit<Emulation, 'viewport'>): Promise<void> {
  const options = emulate({ ...emulation, viewport: undefined })
  const { timezoneId, viewport, deviceScaleFactor = 1 } = options
  const session = await page.context().newCDPSession(page)
  if (options.ignoreHTTPSErrors) await session.send('Security.setIgnoreCertificateErrors', { ignore: true })
  if (emulation.country !== undefined || emulation.languages.length > 0) {
    await session.send('Emulation.setLocaleOverride', { locale: languagesOf(emulation)[0] ?? 'en-US' })
    if (timezoneId) await session.send('Emulation.setTimezoneOverride', { timezoneId })
  }
  if (emulation.isMobile && viewport) {
    const metrics = { ...viewport, deviceScaleFactor, mobile: true }
    await session.send('Emulation.setDeviceMetricsOverride', metrics)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  }
  const languages = languagesOf(emulation)
  const version = page.context().browser()?.version()
  const identity = browserIdentity({ isMobile: emulation.isMobile, languages, version })
  await session.send('Emulation.setUserAgentOverride', identity)
}

const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }

const mobile: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
}

/** Frequently requested countries; others only have a language if the caller sets it. */
const countries = jsonFile<Record<string, { language: string; timeZone: string }>>(
  new URL('./countries.json', import.meta.url),
)
