import { chromeAgent, chromeBrands, chromeVersion } from '../../platform/chromium/chrome.ts'

/** Returns the headers of a navigation in a current desktop Chrome, because sites often reject unknown user agents. */
export function browserHeaders(languages: string[] = []): Record<string, string> {
  return languages.length > 0 ? headersFor(languages) : defaultHeaders
}

function headersFor(languages: string[]): Record<string, string> {
  return {
    'sec-ch-ua': chromeBrands(chromeVersion)
      .map(({ brand, version }) => `"${brand}";v="${version}"`)
      .join(', '),
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-platform': '"Linux"',
    'user-agent': chromeAgent(chromeVersion),
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'accept-encoding': 'gzip, deflate, br, zstd',
    'accept-language': acceptLanguage(languages),
    'upgrade-insecure-requests': '1',
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'none',
    'sec-fetch-user': '?1',
  }
}

function acceptLanguage(languages: string[]): string {
  return languages
    .filter((language) => /^[a-z0-9-]{1,35}$/i.test(language))
    .map((language, index) =>
      index === 0 ? language : `${language};q=${Math.max(0.1, 1 - index / 10).toFixed(1)}`,
    )
    .join(',')
}

const defaultHeaders = Object.freeze(headersFor(['en-US', 'en']))
