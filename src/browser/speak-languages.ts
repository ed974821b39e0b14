import type { Page } from 'playwright-core'
import { tabSession } from './tab-session.ts'

/** What a tab says of its languages, to the site and to scripts: all of them, where the driver knows of one. */
export async function speakLanguages(tab: Page, languages: string[]): Promise<void> {
  const { session } = await tabSession(tab)
  // Without an agent, the one that the driver has set stays.
  await session.send('Emulation.setUserAgentOverride', {
    userAgent: '',
    acceptLanguage: acceptLanguage(languages),
  })
}

/** In the order of preference; the browser puts the weights to it. */
export function acceptLanguage(languages: string[]): string {
  return languages.filter((language) => /^[a-z0-9-]{1,35}$/i.test(language)).join(',')
}
