import { z } from 'zod'

const colour = z.string().max(200)
const size = z.number()
const text = z.string().max(1000)
const url = z.string().max(100_000).optional()
const rectangle = z.object({ x: size, y: size, width: size, height: size })

const elementSample = z.object({
  kind: z.enum(['page', 'box', 'text', 'heading', 'link', 'button', 'input', 'code', 'icon']),
  tag: z.string().max(100),
  text,
  textLength: size,
  color: colour,
  background: colour,
  behind: z.array(colour).max(20),
  gradient: text.optional(),
  border: z.object({ width: size, color: colour }).optional(),
  radius: z.string().max(100),
  font: z.object({ family: text, size, weight: size, lineHeight: size.optional() }),
  padding: z.array(size).max(4),
  margin: z.array(size).max(4),
  gap: size.optional(),
  maxWidth: size.optional(),
  transition: z.object({ duration: text, easing: text }).optional(),
  paint: z.object({ fill: colour, stroke: colour }).optional(),
  glyph: z.object({ family: text, weight: size }).optional(),
  rect: rectangle,
  place: z.enum(['header', 'footer', 'body']),
  isConsent: z.boolean(),
})

const logoCandidate = z.object({
  url: z.string().max(100_000),
  alt: text,
  rect: rectangle,
  isInHeader: z.boolean(),
  isInHomeLink: z.boolean(),
  isCalledLogo: z.boolean(),
})

export const styleSnapshot = z.object({
  url: z.string(),
  viewport: z.object({ width: size, height: size }),
  page: z.object({ width: size, height: size }),
  isDarkCanvas: z.boolean(),
  elements: z.array(elementSample).max(2000),
  variables: z.array(z.object({ name: z.string().max(200), value: colour })).max(1000),
  themeColor: colour.optional(),
  fontFaces: z.array(text).max(200),
  logos: z.array(logoCandidate).max(100),
  organization: z.object({ name: text.optional(), logo: url }),
  siteName: text.optional(),
  favicon: url,
  touchIcon: url,
  ogImage: url,
  headerHeight: size.optional(),
  footerHeight: size.optional(),
})

export type StyleSnapshot = z.output<typeof styleSnapshot>
export type ElementSample = z.output<typeof elementSample>
export type LogoCandidate = z.output<typeof logoCandidate>
