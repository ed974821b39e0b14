import type { Page } from 'playwright-core'
import { type Emulation, emulate, languagesOf } from './emulate.ts'
import { identityOf } from './identity.ts'

/**
 * Device, language and time zone of a page whose context already exists. They last as long as the connection that set
 * them, which belongs to the service and lives as long as the browser.
 */
export async function emulateOpenPage(page: Page, emulation: Omit<Emulation, 'viewport'>): Promise<void> {
  const options = emulate({ ...emulation, viewport: undefined })
  const session = await page.context().newCDPSession(page)
  if (options.ignoreHTTPSErrors) await session.send('Security.setIgnoreCertificateErrors', { ignore: true })
  if (emulation.country !== undefined || emulation.languages.length > 0) {
    await session.send('Emulation.setLocaleOverride', { locale: languagesOf(emulation)[0] ?? 'en-US' })
    if (options.timezoneId) {
      await session.send('Emulation.setTimezoneOverride', { timezoneId: options.timezoneId })
    }
  }
  const { viewport } = options
  if (emulation.isMobile && viewport) {
    await session.send('Emulation.setDeviceMetricsOverride', {
      ...viewport,
      deviceScaleFactor: options.deviceScaleFactor ?? 1,
      mobile: true,
    })
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  }
  const version = page.context().browser()?.version()
  const identity = identityOf({ isMobile: emulation.isMobile, languages: languagesOf(emulation), version })
  await session.send('Emulation.setUserAgentOverride', identity)
}
