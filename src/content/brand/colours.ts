import type { StyleSnapshot } from '../style-snapshot.ts'
import { type Colour, chroma, contrast, distance, isChromatic, readColour, toHex } from './colour.ts'
import { omitEmpty, tally, tallyEach, type Vote } from './evidence.ts'
import type { ButtonStyle, PaintedElement, PaintedPage } from './painted.ts'

/** A visible difference is enough between two declared colours, because the page declares both explicitly. */
const minDeclaredDistance = 0.03
/** Minimum distance of a second colour that is not declared, because it may be a shade of the first. */
const minVotedDistance = 0.12

export function getBrandColours(page: PaintedPage, buttonStyles: ButtonStyle[], snapshot: StyleSnapshot) {
  const { background } = page
  const declared = readDeclaredColours(snapshot)
  const seen = tally(collectSeenVotes(page, buttonStyles))
  const isSeen = (colour: Colour) => seen.some((vote) => distance(vote.colour, colour) < 0.03)
  const palette = tally([...seen, ...collectDeclaredVotes(snapshot, declared, isSeen)]).filter(({ colour }) =>
    isDistinctFrom(colour, background),
  )
  /** Prefers declared colours, above all visible ones, to votes. Excludes colours like the assigned ones. */
  const chooseColour = (
    namePattern: RegExp,
    minWeight: number,
    assigned: (Colour | undefined)[],
  ): Colour | undefined => {
    const isDistinct = (colour: Colour, minDistance: number) =>
      assigned.every((other) => !other || distance(colour, other) > minDistance)
    const matching = declared.filter(
      ({ name, colour }) =>
        namePattern.test(name) &&
        isDistinct(colour, minDeclaredDistance) &&
        isDistinctFrom(colour, background),
    )
    const bestDeclared =
      matching.find(({ colour }) => isSeen(colour)) ?? matching.find(({ isOfFramework }) => !isOfFramework)
    const winner = palette.find(
      ({ colour, weight }) =>
        weight >= minWeight && isDistinct(colour, minVotedDistance) && !isStatusColour(colour, declared),
    )
    return bestDeclared?.colour ?? winner?.colour
  }
  const primary = palette.find(({ weight }) => weight >= 8)?.colour
  const secondary = primary && chooseColour(/^(?:brand-)?secondary$/, 8, [primary])
  const accent = primary && chooseColour(/^(?:brand-)?accent$/, 6, [primary, secondary])
  const { textPrimary, textSecondary } = findTextColours(page)
  const getNamed = (namePattern: RegExp) =>
    toHexOrUndefined(
      declared.find(
        ({ name, colour, isOfFramework }) => namePattern.test(name) && (!isOfFramework || isSeen(colour)),
      )?.colour,
    )
  return omitEmpty({
    primary: toHexOrUndefined(primary),
    secondary: toHexOrUndefined(secondary),
    accent: toHexOrUndefined(accent),
    background: toHexOrUndefined(background),
    textPrimary: toHexOrUndefined(textPrimary),
    textSecondary: toHexOrUndefined(textSecondary),
    link: toHexOrUndefined(findLinkColour(page)),
    success: getNamed(statusNames.success),
    warning: getNamed(statusNames.warning),
    error: getNamed(statusNames.error),
  })
}

const statusNames = {
  success: /^(?:success|positive)$/,
  warning: /^(?:warning|caution)$/,
  error: /^(?:error|danger|destructive|negative)$/,
}

/** Colours with a status meaning, such as success or error, are not brand colours, however often they are used. */
function isStatusColour(colour: Colour, declared: DeclaredColour[]): boolean {
  const isStatus = (name: string) => Object.values(statusNames).some((pattern) => pattern.test(name))
  return declared.some((other) => isStatus(other.name) && distance(other.colour, colour) < 0.03)
}

const toHexOrUndefined = (colour: Colour | undefined) => colour && toHex(colour)

/** A grey needs a greater distance, because it may be a shade of the background. */
function isDistinctFrom(colour: Colour, background: Colour): boolean {
  return distance(colour, background) > (isChromatic(colour) ? 0.08 : 0.25)
}

function findTextColours({ elements, background }: PaintedPage) {
  const texts = elements.filter(
    ({ kind, textLength, backdrop, fill, textColour }) =>
      (kind === 'text' || kind === 'heading') &&
      textLength > 0 &&
      distance(fill ?? backdrop, background) < 0.12 &&
      contrast(textColour, fill ?? backdrop) > 2,
  )
  const body = elements.findLast(({ kind }) => kind === 'page')
  const amounts = texts.map(({ textColour, textLength }) => ({
    colour: textColour,
    weight: Math.log2(1 + textLength),
  }))
  const totalWeight = amounts.reduce((sum, { weight }) => sum + weight, 0)
  if (totalWeight === 0) return {}
  const votes = tally([
    ...amounts,
    ...(body ? [{ colour: body.textColour, weight: totalWeight * 0.15 }] : []),
  ])
  const getStrength = ({ colour, weight }: Vote) => weight * Math.sqrt(contrast(colour, background))
  const textPrimary = votes.sort((a, b) => getStrength(b) - getStrength(a))[0]?.colour
  const textSecondary = votes.find(
    ({ colour, weight }) =>
      textPrimary &&
      weight > totalWeight * 0.05 &&
      chroma(colour) < 0.07 &&
      distance(colour, textPrimary) > 0.08 &&
      contrast(colour, background) < contrast(textPrimary, background),
  )?.colour
  return { textPrimary, textSecondary }
}

function findLinkColour({ elements, background }: PaintedPage): Colour | undefined {
  const links = elements.filter(
    ({ kind, text, fill, borderColour, backdrop, textColour }) =>
      kind === 'link' &&
      text !== '' &&
      !fill &&
      !borderColour &&
      distance(backdrop, background) < 0.12 &&
      contrast(textColour, backdrop) > 2,
  )
  const bodyLinks = links.filter(({ place }) => place === 'body')
  const votes = tallyEach((bodyLinks.length > 0 ? bodyLinks : links).map(({ textColour }) => textColour))
  const totalWeight = votes.reduce((sum, { weight }) => sum + weight, 0)
  const chromatic = votes.find(({ colour, weight }) => isChromatic(colour) && weight > totalWeight * 0.2)
  return (chromatic ?? votes[0])?.colour
}

const unstyledLink = '#0000EE'

function collectSeenVotes(page: PaintedPage, buttonStyles: ButtonStyle[]): Vote[] {
  const damp = (count: number) => Math.log2(1 + Math.min(count, 7))
  const votes = buttonStyles
    .filter(({ isFilled }) => isFilled)
    .map(({ background, isCallToAction, count }) => ({
      colour: background,
      weight: (isCallToAction ? 60 : 25) * damp(count),
    }))
  const { elements } = page
  const collectTextColours = (kind: PaintedElement['kind'], base: number) =>
    tallyEach(
      elements
        .filter((element) => element.kind === kind && toHex(element.textColour) !== unstyledLink)
        .map(({ textColour }) => textColour),
    )
      .filter(({ colour }) => isChromatic(colour))
      .map(({ colour, weight }) => ({ colour, weight: base * damp(weight) }))
  votes.push(
    ...collectTextColours('link', 6),
    ...collectTextColours('heading', 6),
    ...collectTextColours('icon', 3),
    ...collectFills(elements),
  )
  // Black and white are on every page, so their weight is reduced.
  return votes.map(({ colour, weight }) => ({ colour, weight: isChromatic(colour) ? weight : weight * 0.4 }))
}

function collectFills(elements: PaintedElement[]): Vote[] {
  const areas = new Map<string, { colour: Colour; area: number; isHeader: boolean }>()
  for (const { kind, fill, rect, place, tag } of elements) {
    if (!fill || kind === 'page' || kind === 'button' || kind === 'input') continue
    const group = areas.get(toHex(fill)) ?? { colour: fill, area: 0, isHeader: false }
    const isHeader = group.isHeader || (place === 'header' && tag === 'header')
    areas.set(toHex(fill), { colour: fill, area: group.area + rect.width * rect.height, isHeader })
  }
  return [...areas.values()].map(({ colour, area, isHeader }) => ({
    colour,
    weight: Math.log10(1 + area) * (isHeader ? 5 : 3),
  }))
}

function collectDeclaredVotes(
  { themeColor }: StyleSnapshot,
  declared: DeclaredColour[],
  isSeen: (colour: Colour) => boolean,
): Vote[] {
  const votes = declared
    .filter(({ name }) => /^(?:primary|brand|brand-primary)$/.test(name))
    .slice(0, 3)
    .map(({ colour }) => ({ colour, weight: isSeen(colour) ? 40 : 3 }))
  const theme = themeColor === undefined ? undefined : readColour(themeColor)
  if (theme && isChromatic(theme)) votes.push({ colour: theme, weight: isSeen(theme) ? 25 : 12 })
  return votes
}

interface DeclaredColour {
  /** Name without prefix and suffix: `--color-primary-500` becomes `primary`. */
  name: string
  colour: Colour
  isOfFramework: boolean
}

const namePrefix = /^-(?:(?:bs|md-sys|wp-preset|theme|site|ui|app|global|e-global)-)?(?:(?:colors?|clr|c)-)?/

function readDeclaredColours({ variables }: StyleSnapshot): DeclaredColour[] {
  return variables.flatMap(({ name, value }) => {
    const normalisedName = name.toLowerCase().replace(/[_-]+/g, '-')
    const shortName = normalisedName
      .replace(namePrefix, '')
      .replace(/-(?:colors?|default|main|base|500|600)$/, '')
    const colour = readColour(value)
    if (!colour || colour.alpha < 0.5) return []
    return [{ name: shortName, colour, isOfFramework: /^-(?:bs|wp)-/.test(normalisedName) }]
  })
}
