/** The version to send when no browser runs whose version could be used; sites reject versions that are too old. */
export const chromeVersion = '156.0.0.0'

const desktop = 'X11; Linux x86_64'

/** Of the version, Chrome tells its first number only. */
export function chromeAgent(
  version: string,
  { system = desktop, isMobile = false }: { system?: string; isMobile?: boolean } = {},
): string {
  const product = `Chrome/${majorOf(version)}.0.0.0${isMobile ? ' Mobile' : ''}`
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${product} Safari/537.36`
}

export interface Brand {
  brand: string
  version: string
}

/** The first of them is no browser: it keeps sites from relying on the list. */
export function chromeBrands(version: string): Brand[] {
  return brands(majorOf(version), '8')
}

export function fullChromeBrands(version: string): Brand[] {
  return brands(version, '8.0.0.0')
}

function brands(version: string, none: string): Brand[] {
  return [
    { brand: 'Not:A-Brand', version: none },
    { brand: 'Chromium', version },
    { brand: 'Google Chrome', version },
  ]
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? ''
}
