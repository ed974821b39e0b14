import type { StyleSnapshot } from '../style-snapshot.ts'
import { buttonLooks } from './buttons.ts'
import { lightness } from './colour.ts'
import { brandColours } from './colours.ts'
import { brandAnimations, brandComponents } from './components.ts'
import { withEvidence } from './evidence.ts'
import { brandIcons } from './icons.ts'
import { brandImages, brandLogo, brandName } from './logo.ts'
import { type PaintedPage, paintedPage } from './painted.ts'
import { brandPersonality } from './personality.ts'
import { brandSpacing } from './spacing.ts'
import { commonest } from './tally.ts'
import { brandFonts, brandTypography, pixels } from './typography.ts'

/** How a site presents itself, by the styles of one page. What that gives no evidence of is left out. */
export function brandOf(snapshot: StyleSnapshot) {
  const page = paintedPage(snapshot)
  const looks = buttonLooks(page)
  const logo = brandLogo(snapshot)
  const colorScheme: 'light' | 'dark' = lightness(page.background) < 0.5 ? 'dark' : 'light'
  return {
    ...{ colorScheme, logo },
    ...withEvidence({
      brandName: brandName(snapshot),
      colors: brandColours(page, looks, snapshot),
      fonts: brandFonts(page, snapshot),
      typography: brandTypography(page, snapshot),
      spacing: brandSpacing(page),
      components: brandComponents(page, looks),
      icons: brandIcons(page),
      animations: brandAnimations(page),
      layout: brandLayout(page, snapshot),
      personality: brandPersonality(page, looks),
    }),
    images: brandImages(snapshot, logo),
  }
}

function brandLayout({ elements }: PaintedPage, snapshot: StyleSnapshot) {
  const widths = elements.flatMap(({ maxWidth, rect }) =>
    maxWidth !== undefined && maxWidth >= 600 && maxWidth <= 2000
      ? [{ value: maxWidth, weight: rect.height }]
      : [],
  )
  return withEvidence({
    grid: withEvidence({ maxWidth: pixels(commonest(widths)) }),
    headerHeight: pixels(snapshot.headerHeight),
    footerHeight: pixels(snapshot.footerHeight),
  })
}
