import { z } from 'zod'
import { extractBrand } from '../../content/brand/brand.ts'
import { energies, tones } from '../../content/brand/personality.ts'
import { styleSnapshot } from '../../content/style-snapshot.ts'
import { defineFormat } from './format.ts'

const text = z.string().optional()
const colour = text.describe('Color as #RRGGBB.')
const weight = z.int().optional()
const nullableUrl = z.string().nullable()
const families = z.array(z.string()).optional()
const distances = z.record(z.string(), z.number()).optional()

const button = z.looseObject({
  ...{ background: colour, textColor: colour, borderColor: colour, borderRadius: text },
})

const brandSchema = z.looseObject({
  colorScheme: z.enum(['light', 'dark']),
  logo: nullableUrl.describe('URL of the logo; an inline SVG is returned as a data URL.'),
  brandName: text,
  colors: z
    .looseObject({
      ...{ primary: colour, secondary: colour, accent: colour, background: colour, textPrimary: colour },
      ...{ textSecondary: colour, link: colour, success: colour, warning: colour, error: colour },
    })
    .optional(),
  fonts: z.array(z.looseObject({ family: z.string() })).optional(),
  typography: z
    .looseObject({
      fontFamilies: z.looseObject({ primary: text, heading: text, code: text }).optional(),
      fontStacks: z
        .looseObject({ primary: families, heading: families, body: families, paragraph: families })
        .optional(),
      fontSizes: z.looseObject({ h1: text, h2: text, h3: text, body: text, small: text }).optional(),
      fontWeights: z.looseObject({ light: weight, regular: weight, medium: weight, bold: weight }).optional(),
      lineHeights: z.looseObject({ heading: text, body: text }).optional(),
    })
    .optional(),
  spacing: z
    .looseObject({
      baseUnit: z.int().optional(),
      borderRadius: text,
      padding: distances.describe('Padding of buttons, fields, cards and sections, in pixels.'),
      margins: distances.describe('Margin below headings, paragraphs and sections, in pixels.'),
      gridGutter: z.number().optional(),
    })
    .optional(),
  components: z
    .looseObject({
      buttonPrimary: button.optional(),
      buttonSecondary: button.optional(),
      input: z.looseObject({ borderColor: colour, borderRadius: text }).optional(),
    })
    .optional(),
  icons: z
    .looseObject({ style: text.describe('Style of icons: outline or filled.'), primaryColor: colour })
    .optional(),
  animations: z.looseObject({}).optional(),
  layout: z.looseObject({}).optional(),
  personality: z
    .looseObject({ tone: z.enum(tones).optional(), energy: z.enum(energies).optional() })
    .optional()
    .describe('Derived from shapes, fonts and colours, if enough of them agree.'),
  images: z.looseObject({ logo: nullableUrl, favicon: nullableUrl, ogImage: nullableUrl }),
})

export const branding = defineFormat({
  name: 'branding',
  description: 'Visual identity of a site: colours, fonts, spacing, buttons and logo.',
  readsFrom: 'openPage',
  options: {},
  output: {
    branding: brandSchema
      .meta({ id: 'Branding' })
      .describe('Colours, fonts, spacing, buttons and logo, if the page shows them.'),
  },
  captures: () => ({ styles: true }),
  render(_, __, { page, isFile }) {
    if (isFile) return { unavailable: 'branding: the URL is a file, which has no styles.' }
    if (!page.captures?.styles) return { unavailable: 'branding: the page was not opened in a browser.' }
    // Cached captures may be older than this code.
    const snapshot = styleSnapshot.safeParse(page.captures.styles)
    if (!snapshot.success || snapshot.data.elements.length === 0)
      return { unavailable: 'branding: the styles of the page could not be read.' }
    return { branding: extractBrand(snapshot.data) }
  },
})
