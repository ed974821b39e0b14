import { attribute } from './attributes.ts'

/**
 * What the attributes of a container tell of it. `foot` and `name` mean that only a word in its class or id
 * does: a footer or dialog, or navigation.
 */
export interface Traits {
  surrounding: 'element' | 'foot' | 'name' | undefined
  isMain: boolean
  /** Whether scripts usually fill an element with this id. */
  isRoot: boolean
}

export const noTraits: Traits = { surrounding: undefined, isMain: false, isRoot: false }

/** Elements of one page repeat their attributes, so each text is looked at once. */
export function traitsReader(): (attributes: string) => Traits {
  const known = new Map<string, Traits>()
  return (attributes) => {
    if (attributes.length < 4) return noTraits
    const found = known.get(attributes)
    if (found) return found
    const traits = traitsOf(attributes)
    known.set(attributes, traits)
    return traits
  }
}

function traitsOf(attributes: string): Traits {
  if (!mayMatter.test(attributes)) return noTraits
  const role = attribute(attributes, 'role') ?? ''
  const id = attribute(attributes, 'id') ?? ''
  return {
    surrounding: roles.has(role) || isHidden(attributes, id) ? 'element' : called(attributes, id),
    isMain: role === 'main',
    isRoot: rootIds.test(id),
  }
}

function called(attributes: string, id: string): 'foot' | 'name' | undefined {
  const names = `${id} ${attribute(attributes, 'class') ?? ''}`
  if (footWords.test(names)) return 'foot'
  return navigationWords.test(names) ? 'name' : undefined
}

const roles = new Set([
  ...['navigation', 'banner', 'contentinfo', 'complementary', 'search', 'dialog', 'alertdialog', 'button'],
])

const footNouns = 'footer|cookies?|consent|gdpr|cc-window|modal|popup|newsletter|preloader'
const navigationNouns = 'nav|navbar|navigation|menu|sidebar|breadcrumbs?|masthead|social|share|skip-link'
const rootNouns = 'root|app|next|nuxt|gatsby|svelte|mount|application'

/** One look at all attributes, because most elements have none of this; capitals would make it slow. */
const mayMatter = new RegExp(`role|hidden|display|${rootNouns}|${footNouns}|${navigationNouns}`)

const wholeWords = (nouns: string) => new RegExp(`(?:^|[\\s_-])(?:${nouns})(?:$|[\\s_-])`, 'i')
const footWords = wholeWords(footNouns)
const navigationWords = wholeWords(navigationNouns)

const rootIds = new RegExp(
  `^(?:_*(?:${rootNouns})|\\w+[-_](?:root|app|mount)|(?:react|vue|ember|spa|main|web)(?:root|app|mount)|` +
    'app[-_](?:root|mount|container|content|wrapper|main))$',
  'i',
)

function isHidden(attributes: string, id: string): boolean {
  // Parts that React sends late come hidden, and the page itself moves them to their place.
  if (/^[SB]:/.test(id)) return false
  return (
    /(?:^|\s)hidden(?:\s|=|$)/i.test(attributes) ||
    /display\s*:\s*none/i.test(attribute(attributes, 'style') ?? '')
  )
}
