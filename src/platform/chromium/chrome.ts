/** Chrome version that is sent if no browser is running. Sites reject versions that are too old. */
export const chromeVersion = '156.0.0.0'

const desktop = 'X11; Linux x86_64'

export function chromeAgent(
  version: string,
  { system = desktop, isMobile = false }: { system?: string; isMobile?: boolean } = {},
): string {
  const product = `Chrome/${getMajorVersion(version)}.0.0.0${isMobile ? ' Mobile' : ''}`
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${product} Safari/537.36`
}

export interface Brand {
  brand: string
  version: string
}

/** The first brand is not a browser, as in Chrome (GREASE). */
export function chromeBrands(version: string): Brand[] {
  return brands(getMajorVersion(version), '8')
}

export function fullChromeBrands(version: string): Brand[] {
  return brands(version, '8.0.0.0')
}

function brands(version: string, greaseVersion: string): Brand[] {
  return [
    { brand: 'Not:A-Brand', version: greaseVersion },
    { brand: 'Chromium', version },
    { brand: 'Google Chrome', version },
  ]
}

function getMajorVersion(version: string): string {
  return version.split('.')[0] ?? ''
}
