import { hides } from '../../content/hidden.ts'
import { attr } from '../../content/tree/names.ts'
import { attributeValue, type Node, type Tree } from '../../content/tree/tree.ts'

/**
 * What the attributes of a container tell of it. `foot` and `name` mean that only a word in its class or id
 * does: a footer or dialog, or navigation.
 */
export interface Traits {
  surrounding: 'element' | Called
  isMain: boolean
  /** Whether scripts usually fill an element with this id. */
  isRoot: boolean
}

type Called = 'foot' | 'name' | undefined

export const noTraits: Traits = { surrounding: undefined, isMain: false, isRoot: false }

/** Elements of one page repeat their classes, so each text is looked at once. */
export function traitsReader(tree: Tree): (node: Node) => Traits {
  const known = new Map<string, Called>()
  const called = (names: string): Called => {
    if (!known.has(names)) known.set(names, calledBy(names))
    return known.get(names)
  }
  return (node) => {
    const stop = tree.stops[node] ?? 0
    let [role, id, classes, isHidden] = ['', '', '', false]
    for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
      const name = tree.attributes.names[at]
      if (name === attr.class) classes ||= attributeValue(tree, at)
      else if (name === attr.id) id ||= attributeValue(tree, at)
      else if (name === attr.role) role ||= attributeValue(tree, at)
      else isHidden ||= hides(tree, at)
    }
    // Parts that React sends late come hidden, and the page itself moves them to their place.
    const isPutAside = roles.has(role) || (isHidden && !/^[SB]:/.test(id))
    return {
      surrounding: isPutAside ? 'element' : firmer(called(id), called(classes)),
      isMain: role === 'main',
      isRoot: mayMatter.test(id) && rootIds.test(id),
    }
  }
}

const firmer = (one: Called, other: Called): Called => (one === 'foot' ? one : (other ?? one))

function calledBy(names: string): Called {
  if (!mayMatter.test(names)) return undefined
  if (footWords.test(names)) return 'foot'
  return navigationWords.test(names) ? 'name' : undefined
}

const roles = new Set([
  ...['navigation', 'banner', 'contentinfo', 'complementary', 'search', 'dialog', 'alertdialog', 'button'],
])

const footNouns = 'footer|cookies?|consent|gdpr|cc-window|modal|popup|newsletter|preloader'
const navigationNouns = 'nav|navbar|navigation|menu|sidebar|breadcrumbs?|masthead|social|share|skip-link'
const rootNouns = 'root|app|next|nuxt|gatsby|svelte|mount|application'

/** One look at all words, because most names have none of them; capitals would make it slow. */
const mayMatter = new RegExp(`${rootNouns}|${footNouns}|${navigationNouns}`)

const wholeWords = (nouns: string) => new RegExp(`(?:^|[\\s_-])(?:${nouns})(?:$|[\\s_-])`, 'i')
const footWords = wholeWords(footNouns)
const navigationWords = wholeWords(navigationNouns)

const rootIds = new RegExp(
  `^(?:_*(?:${rootNouns})|\\w+[-_](?:root|app|mount)|(?:react|vue|ember|spa|main|web)(?:root|app|mount)|` +
    'app[-_](?:root|mount|container|content|wrapper|main))$',
  'i',
)
