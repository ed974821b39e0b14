import type { LogoCandidate, StyleSnapshot } from '../style-snapshot.ts'

/** From here on an image on the page is more surely the logo than what its description names. */
const certain = 60
const likely = 40

/** The logo that the page shows in its header, otherwise the declared one, otherwise an image named so. */
export function brandLogo(snapshot: StyleSnapshot): string | null {
  const names = [snapshot.organization.name, snapshot.siteName, hostName(snapshot.url)].map(plain)
  const [best] = snapshot.logos
    .map((candidate) => ({ url: candidate.url, score: scoreOf(candidate, snapshot, names) }))
    .sort((one, other) => other.score - one.score)
  if (best && best.score >= certain) return best.url
  return snapshot.organization.logo ?? (best && best.score >= likely ? best.url : null)
}

export function brandName({ organization, siteName }: StyleSnapshot): string | undefined {
  return siteName || organization.name
}

export function brandImages(snapshot: StyleSnapshot, logo: string | null) {
  return {
    logo,
    favicon: snapshot.favicon ?? snapshot.touchIcon ?? null,
    ogImage: snapshot.ogImage ?? null,
  }
}

function scoreOf(candidate: LogoCandidate, { viewport }: StyleSnapshot, names: string[]): number {
  const { rect } = candidate
  const ratio = rect.width / Math.max(1, rect.height)
  const alt = plain(candidate.alt)
  return (
    (candidate.isInHeader ? 25 : 0) +
    (candidate.isInHomeLink ? 35 : 0) +
    (candidate.isCalledLogo ? 30 : 0) +
    (names.some((name) => name.length > 1 && alt.includes(name)) ? 15 : 0) +
    (rect.y < 150 && rect.x < viewport.width / 2 ? 10 : 0) +
    (rect.y > viewport.height ? -20 : 0) +
    (ratio < 0.4 || ratio > 15 ? -15 : 0) +
    (rect.height < 16 ? -15 : 0) +
    (rect.height > 250 || rect.width > viewport.width * 0.6 ? -45 : 0)
  )
}

function plain(text: string | undefined): string {
  return (text ?? '').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** The name in an address: `www.acme.co.uk` is acme's. */
function hostName(url: string): string {
  const parts = (URL.parse(url)?.hostname ?? '').replace(/^www\./, '').split('.')
  return parts[0] ?? ''
}
